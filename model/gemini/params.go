package gemini

import (
	"math"

	"google.golang.org/genai"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// categories are the four of text whose filter this API lets a caller set. That
// of civic integrity is gone, and the client's others, of images and jailbreaks,
// are not among them.
var categories = []genai.HarmCategory{genai.HarmCategoryHarassment, genai.HarmCategoryHateSpeech,
	genai.HarmCategorySexuallyExplicit, genai.HarmCategoryDangerousContent}

// params are a request's, in the provider's form.
func (m *Model) params(req model.Request) ([]*genai.Content, *genai.GenerateContentConfig, error) {
	config := &genai.GenerateContentConfig{CandidateCount: 1, AutomaticContinuation: new(bool)}
	for _, c := range categories {
		config.SafetySettings = append(config.SafetySettings, &genai.SafetySetting{Category: c, Threshold: genai.HarmBlockThreshold(m.safety)})
	}
	if req.System != "" {
		config.SystemInstruction = &genai.Content{Parts: []*genai.Part{{Text: req.System}}}
	}
	if err := m.sampling(config, req.Sampling); err != nil {
		return nil, nil, err
	}
	var contents []*genai.Content
	for _, t := range req.Messages {
		role := ""
		switch t.Role {
		case uplift.User:
			role = genai.RoleUser
		case uplift.Assistant:
			role = genai.RoleModel
		default:
			return nil, nil, m.errorf("messages: unknown role %q (want user or assistant)", t.Role)
		}
		contents = append(contents, &genai.Content{Role: role, Parts: []*genai.Part{{Text: t.Text}}})
	}
	return contents, config, nil
}

// sampling sets what a study pins. The API's whole numbers have 32 bits.
func (m *Model) sampling(config *genai.GenerateContentConfig, s model.Sampling) error {
	if s.Temperature != nil {
		t := float32(*s.Temperature)
		config.Temperature = &t
	}
	if s.TopP != nil {
		p := float32(*s.TopP)
		config.TopP = &p
	}
	if n := s.MaxTokens; n != nil {
		if *n < 1 || *n > math.MaxInt32 {
			return m.errorf("sampling: max_tokens is %d (want 1 to %d)", *n, math.MaxInt32)
		}
		config.MaxOutputTokens = int32(*n)
	}
	if n := s.Seed; n != nil {
		if *n < math.MinInt32 || *n > math.MaxInt32 {
			return m.errorf("sampling: seed is %d (want %d to %d)", *n, math.MinInt32, math.MaxInt32)
		}
		seed := int32(*n)
		config.Seed = &seed
	}
	return nil
}
