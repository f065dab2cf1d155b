package main

import (
	"github.com/spf13/cobra"
)

func newCompletion(env *Env) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "Print a shell completion script",
		Long: `completion prints a script that completes commands, flags and their values. In
bash it needs the package bash-completion.`,
		Example: `  source <(uplift completion bash)                              # this shell
  uplift completion bash > ~/.local/share/bash-completion/completions/uplift
  uplift completion zsh > "${fpath[1]}/_uplift"
  uplift completion fish > ~/.config/fish/completions/uplift.fish`,
		ValidArgs: shells,
		Args:      positional(1, 1, "one shell: bash, zsh, fish or powershell"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(env.Stdout, true)
			case "zsh":
				return root.GenZshCompletion(env.Stdout)
			case "fish":
				return root.GenFishCompletion(env.Stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(env.Stdout)
			}
			return usage("unknown shell %q (want bash, zsh, fish or powershell)", args[0])
		},
	}
}

// choices completes a flag that takes one of a few words.
func choices(cmd *cobra.Command, flag string, words ...string) {
	// It fails only for a flag that does not exist, which is a fault of ours.
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}
