package main

import (
	"github.com/spf13/cobra"
)

func newCompletion(env *Env) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "Print a shell completion script",
		Example:   "  uplift completion bash > /etc/bash_completion.d/uplift",
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
