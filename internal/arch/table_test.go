package arch

// module is the path of this module, and root of its root package.
const module = "github.com/uplift-eval/uplift"

const root = ""

// row says what one package may import beside the standard library.
type row struct {
	path    string   // below module; root for the root package
	inside  []string // packages of this module; all stands for every one
	outside []string // modules
}

const all = "*"

// table is the drawing of the house.
var table = []row{
	// Public packages: everything they may import.
	{root, nil, nil},
	{"stats", nil, []string{"gonum.org/v1/gonum"}},
	{"controller", []string{root}, []string{"golang.org/x/text"}},
	{"model", []string{root}, nil},
	{"model/anthropic", []string{root, "model", "model/wire"}, []string{"github.com/anthropics/anthropic-sdk-go/v2"}},
	{"model/gemini", []string{root, "model", "model/wire"}, []string{"google.golang.org/genai"}},
	{"model/openai", []string{root, "model", "model/wire"}, []string{"github.com/openai/openai-go/v3"}},
	{"model/sim", []string{root, "model"}, nil},
	{"model/wire", []string{root, "model"}, nil},

	// What is asked.
	{"internal/strictyaml", nil, []string{"github.com/goccy/go-yaml"}},
	{"internal/benchmark", []string{root, "internal/strictyaml"}, []string{"github.com/goccy/go-yaml", "github.com/gowebpki/jcs", "golang.org/x/text"}},
	{"internal/attack", []string{root}, nil},
	{"internal/lint", []string{root, "controller"}, []string{"gonum.org/v1/gonum", "golang.org/x/text"}},
	{"internal/study", []string{root, "internal/benchmark", "internal/attack", "internal/strictyaml", "controller"},
		[]string{"github.com/goccy/go-yaml", "github.com/invopop/jsonschema", "github.com/gowebpki/jcs"}},

	// What is run, and kept.
	{"internal/evidence", []string{root}, []string{"github.com/gowebpki/jcs", "github.com/secure-systems-lab/go-securesystemslib"}},
	{"internal/access", []string{root, "model", "controller"}, nil},
	{"internal/run", []string{root, "model", "internal/attack", "internal/access", "internal/lint", "internal/quarantine"}, nil},
	{"internal/replay", []string{root, "model", "internal/access", "internal/run"}, nil},
	{"internal/judge", []string{root, "model"}, nil},
	{"internal/quarantine", []string{root}, []string{"filippo.io/age"}},
	{"internal/store", []string{root, "internal/rating"},
		[]string{"modernc.org/sqlite", "github.com/jackc/pgx/v5", "github.com/pressly/goose/v3", "github.com/klauspost/compress"}},

	// What people say of it. Neither knows the root package: raters are blind.
	{"internal/rating", []string{"stats"}, nil},
	{"internal/ratingweb", []string{"internal/rating"}, []string{"github.com/yuin/goldmark", "github.com/microcosm-cc/bluemonday"}},

	// What the labels say, and how it is shown.
	{"internal/analysis", []string{root, "stats", "internal/coverage"}, nil},
	{"internal/calibrate", []string{root, "stats"}, nil},
	{"internal/coverage", nil, nil},
	{"internal/power", []string{root, "stats"}, nil},
	{"internal/report", []string{root, "internal/analysis", "internal/calibrate", "internal/power"},
		[]string{"gonum.org/v1/plot", "golang.org/x/image", "github.com/mattn/go-runewidth"}},
	{"internal/interop", []string{root, "internal/rating"}, []string{"github.com/klauspost/compress", "github.com/parquet-go/parquet-go"}},

	// What is served.
	{"internal/gateway", []string{root, "internal/access", "internal/evidence", "model/openai", "model/anthropic"},
		[]string{"go.opentelemetry.io/otel", "github.com/prometheus/client_golang"}},
	{"internal/fakeprovider", nil, nil},

	// The one place that wires, and reads environment and clock.
	{"cmd/uplift", []string{all}, []string{all}},
	{"internal/arch", nil, nil},
}

// tests are modules for test files only.
var tests = []string{
	"github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "pgregory.net/rapid",
	"github.com/chromedp/chromedp", "github.com/chromedp/cdproto", "go.uber.org/goleak",
	"github.com/mtibben/confusables",
}
