/** The scene of a channel that shows ads, as the instructions show it: its XML names it `MainScene.brs`, and has a node `Millrace`. */
export const rokuSnippet = ({ key, publicUrl }: { key: string; publicUrl: string }): string =>
  `' MainScene.xml has <Millrace id="ads" /> as its last child, and <Rectangle id="banner" width="728" height="90" /> where a banner goes.
sub init()
    m.ads = m.top.findNode("ads")
    m.ads.observeField("event", "onAdEvent")
    m.ads.callFunc("initialize", {
        app: "${key}"
        endpoint: "${publicUrl}"
    })
    m.ads.callFunc("showBanner", { zone: "home", format: "banner", w: 728, h: 90 }, m.top.findNode("banner"))
    m.ads.callFunc("loadAd", { zone: "break", format: "video" })
end sub

' Call it where your channel has a break.
sub showBreak()
    if m.ads.callFunc("isAdReady", "break") then m.ads.callFunc("showAd", "break")
end sub

sub onAdEvent(event as object)
    about = event.getData()
    if about.type = "revenuePaid" then print about.priceMicros; about.network
    ' The remote belongs to your scene again.
    if about.type = "hidden" and about.zone = "break" then m.ads.callFunc("loadAd", { zone: "break", format: "video" })
end sub
`;
