' A banner, and a video that OK shows. Replace the key and the address by those of your app's settings.

sub init()
    m.state = m.top.findNode("state")
    m.ads = m.top.findNode("ads")
    m.ads.observeField("event", "onAdEvent")
    m.ads.callFunc("initialize", {
        app: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"
        endpoint: "https://ads.example.com"
        test: true
    })
    m.ads.callFunc("showBanner", { zone: "home", format: "banner", w: 728, h: 90 }, m.top.findNode("banner"))
    m.ads.callFunc("loadAd", { zone: "break", format: "video" })
    m.top.setFocus(true)
end sub

sub onAdEvent(event as object)
    about = event.getData()
    if about.type = "loaded" and about.zone = "break"
        m.state.text = "Press OK to see the ad"
    else if about.type = "loadFailed" and about.zone = "break"
        m.state.text = "No ad: " + about.code
    else if about.type = "hidden" and about.zone = "break"
        m.state.text = "Loading an ad"
        m.ads.callFunc("loadAd", { zone: "break", format: "video" })
    end if
end sub

function onKeyEvent(key as string, isPressed as boolean) as boolean
    if key <> "OK" or not isPressed or not m.ads.callFunc("isAdReady", "break") then return false
    m.ads.callFunc("showAd", "break")
    return true
end function
