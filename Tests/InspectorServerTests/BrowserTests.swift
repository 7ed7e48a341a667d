#if Inspector
    import Foundation
    import InspectorServer
    import PersistentObjects
    import TestSupport
    import Testing

    /// The pages in headless Chromium, if it is installed.
    @Suite(.ownThreads, .enabled(if: Browser.path != nil, "Chromium is not installed"))
    struct BrowserTests {
        /// The folder for screenshots, which are looked at and not compared.
        private static let screenshots = ProcessInfo.processInfo.environment["PO_SCREENSHOTS"]

        private func withBrowser(
            gadgets: Int, mode: Inspector.Mode = .reading,
            _ body: (Browser, _ path: String, _ address: String) throws -> Void
        ) throws {
            let file = try TemporaryStore()
            let path = try makeServedFile(file, gadgets: gadgets)
            let inspector = try Inspector.serve(path: path, mode: mode)
            defer { inspector.stop() }
            let folder = file.folder.appending(path: "browser")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let browser = try Browser(folder: folder)
            try browser.open(inspector.address)
            let root = try #require(inspector.address.firstRange(of: "/?token"))
            try body(browser, path, String(inspector.address[..<root.lowerBound]))
            #expect(browser.problems.isEmpty, "\(browser.problems)")
        }

        private func save(
            _ name: String, _ browser: Browser, width: Int = 1200, height: Int = 800, isDark: Bool = false
        ) throws {
            guard let folder = BrowserTests.screenshots else { return }
            let picture = try browser.screenshot(width: width, height: height, isDark: isDark)
            try picture.write(to: URL(filePath: folder).appending(path: name + ".png"))
        }

        @Test func `pages are shown without errors, and markup in a row is text`() throws {
            try withBrowser(gadgets: 300) { browser, _, address throws in
                #expect(try browser.evaluate("location.href") as? String == address + "/")
                let pages = [
                    "/", "/class/Gadget", "/class/Gadget?p1=price&o1=less&v1=50&order=-price", "/class/Maker",
                    "/object/Gadget/1", "/object/Maker/1", "/object/Maker/1/graph", "/object/Gadget/1/history",
                    "/diagram",
                    "/linked/Maker/1/gadgets", "/search?q=gadget%2012", "/sizes", "/check?run=1", "/history",
                    "/find?q=Gadget.findByPrice(8)", "/sql?q=SELECT%20name%2C%20price%20FROM%20gadget%20ORDER%20BY%202",
                    "/live", "/class/Gadget/description",
                ]
                for (index, page) in pages.enumerated() {
                    try browser.open(address + page)
                    #expect(try browser.evaluate("getComputedStyle(document.body).margin") as? String == "0px")
                    #expect(try browser.evaluate("document.querySelectorAll('img[src=x]').length") as? Int == 0)
                    #expect(
                        try browser.evaluate("[...document.images].every((i) => i.naturalWidth > 0)") as? Bool == true)
                    try save("\(index)", browser)
                    if index < 5 { try save("\(index)-dark-phone", browser, width: 390, isDark: true) }
                }
                try browser.open(address + "/class/Gadget?p1=maker.name&o1=is&v1=Acme&order=-price")
                try save("guide-class", browser, width: 960, height: 560)
                try browser.open(address + "/object/Gadget/3")
                try save("guide-object", browser, width: 960, height: 560)
                try browser.open(address + "/object/Maker/1")
                #expect(try browser.text("h1").contains("<img src=x onerror=\"alert('1')\"> & co"))
            }
        }

        @Test func `two inspectors are open in one browser, and a text with line breaks is edited`() throws {
            try withBrowser(gadgets: 3, mode: .editing) { browser, path, address throws in
                let other = try TemporaryStore()
                let second = try Inspector.serve(path: makeServedFile(other, gadgets: 1))
                defer { second.stop() }
                try browser.open(second.address)
                #expect(try browser.text("h1") == "Classes")
                for text in ["one\\ntwo", "one\\nthree"] {
                    try browser.open(address + "/edit/Review/1")
                    try browser.evaluate("document.querySelector('textarea[name=\"v.text\"]').value = '\(text)'")
                    try browser.follow("document.querySelector('form.editor').requestSubmit()")
                }
                #expect(try SQLiteTool.run(path, "SELECT text FROM review WHERE id = 1") == "one\nthree")
            }
        }

        @Test func `forms and keys work, and pages follow changes of the file`() throws {
            try withBrowser(gadgets: 60, mode: .editing) { browser, path, address throws in
                try browser.open(address + "/edit/Maker/2")
                try save("edit", browser)
                try browser.evaluate("document.querySelector('input[name=\"v.city\"]').value = 'Linz'")
                try browser.follow("document.querySelector('form.editor').requestSubmit()")
                #expect(try browser.text("h1").contains("Acme") && browser.text().contains("Linz"))
                #expect(try SQLiteTool.run(path, "SELECT city FROM maker WHERE id = 2") == "Linz")
                try browser.open(address + "/delete/Gadget/1")
                try save("delete", browser)
                try browser.follow("document.querySelector('button.danger').click()")
                #expect(try browser.text().contains("59 objects"))
                #expect(try SQLiteTool.run(path, "SELECT count(*) FROM review") == "0")

                try browser.open(address + "/class/Gadget")
                try browser.evaluate("document.querySelector('select[name=p1]').value = 'condition'")
                try browser.evaluate("document.querySelector('input[name=v1]').value = 'broken'")
                try browser.follow("document.querySelector('form.rows').requestSubmit()")
                #expect(try browser.text().contains("15 objects that meet the conditions"))
                try browser.follow("document.querySelector('form.box').requestSubmit()")
                #expect(try browser.text("h1") == "Finder" && browser.text("tbody tr").contains("gadget 3"))

                try browser.open(address + "/object/Maker/2")
                try browser.waitUntil("document.querySelector('main').innerText.includes('Acme')")
                // The page has its version before the change.
                try browser.waitUntil(
                    "performance.getEntriesByType('resource').some((e) => e.name.includes('/changes'))")
                usleep(500_000)  // the request may have left the browser without having arrived
                // A commit and the end of its log can be noticed one after the other, and the second one marks no row.
                try browser.evaluate(
                    """
                    window.most = 0; new MutationObserver(() => {
                      window.most = Math.max(window.most, document.querySelectorAll('tr.changed').length);
                    }).observe(document.body, { childList: true, subtree: true });
                    """)
                _ = try SQLiteTool.run(path, "UPDATE maker SET name = 'Globex' WHERE id = 2")
                try browser.waitUntil("document.querySelector('h1').innerText.includes('Globex')")
                #expect(try browser.evaluate("window.most") as? Int == 1)

                try browser.open(address + "/live")
                try browser.waitUntil("document.querySelector('#live-state').innerText.startsWith('Waiting')")
                // A change that comes before the server has read the objects is not listed, so it is repeated.
                let isListed = "document.querySelector('#live-changes').innerText.includes('Maker: 1 changed (#2)')"
                var round = 0
                while try browser.evaluate(isListed) as? Bool != true {
                    try #require(round < 24_000)
                    if round.isMultiple(of: 200) {
                        _ = try SQLiteTool.run(path, "UPDATE maker SET name = 'Initech \(round)' WHERE id = 2")
                    }
                    round += 1
                    // The page reports nothing to the test, so it is looked at again.
                    usleep(25_000)
                }
                try save("live", browser)

                try browser.open(address + "/class/Maker")
                try browser.press("j")
                try browser.press("j")
                #expect(try browser.text("tr.selected").contains("Initech"))
                try browser.press("?")
                #expect(try browser.text("dialog").contains("next row"))
                try save("keys", browser)
            }
        }
    }
#endif
