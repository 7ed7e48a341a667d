import PersistentInspector
import Testing

/// The addresses of pages.
struct PageLinkTests {
    @Test func `addresses escape all bytes except letters, digits and four signs of ASCII`() {
        #expect(PageLink.path("class", "Person") == "/class/Person")
        #expect(PageLink.path("object", "A-Z_a.z~09", "1") == "/object/A-Z_a.z~09/1")
        #expect(PageLink.path("object", "Größe", "a/b c%") == "/object/Gr%C3%B6%C3%9Fe/a%2Fb%20c%25")
        #expect(
            PageLink.path("search", query: ["class": "Größe", "text": "\n&=+'\"<>🙂"])
                == "/search?class=Gr%C3%B6%C3%9Fe&text=%0A%26%3D%2B%27%22%3C%3E%F0%9F%99%82")
        #expect(PageLink.path("object", "", "") == "/object//")
    }
}
