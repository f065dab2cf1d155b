package lint

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// alike pairs letters with the Latin ones that they are drawn as: Cyrillic,
// Greek and Armenian letters, small capitals, letters with a stroke. It is short
// on purpose, and no full table of confusable characters.
const alike = "аaеeоoрpсcуyхxіiјjѕsһhкkмmтtвbнhгrԁdԛqԝwьbпnӏlзeдd" +
	"αaβbεeηnιiκkμuνvοoπnρpτtυuχxωwγyσoδd" + "օoսuոnհhցg" +
	"ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz" + "ıiɡgɑaøođdłlħhŧtɩiʋv"

// folded is a view without marks above and below its letters, and with Latin
// letters in place of their look-alikes.
func folded(view string) string {
	if ascii(view) {
		return view
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) {
			return -1
		}
		if l, ok := latinOf[r]; ok {
			return l
		}
		return r
	}, norm.NFD.String(view))
}

var latinOf = func() map[rune]rune {
	out, runes := map[rune]rune{}, []rune(alike)
	for i := 0; i < len(runes); i += 2 {
		out[runes[i]] = runes[i+1]
	}
	return out
}()
