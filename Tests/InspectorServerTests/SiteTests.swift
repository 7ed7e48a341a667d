#if Inspector
    import Foundation
    import LoopbackHTTP
    import PersistentInspector
    import PersistentObjects
    import TestSupport
    import Testing

    @testable import InspectorServer

    /// The check of requests, and the contents of pages, without a connection.
    struct SiteTests {
        private let access = Access(port: 4000)

        private func site(_ path: String) -> Site {
            Site(access: access, pages: InspectorPages(path: path), changes: ChangeFeed(path: path))
        }

        private func response(_ site: Site, _ path: String, _ query: [String: String] = [:]) throws -> Response {
            try #require(site.response(to: request(path, query)))
        }

        private func request(_ path: String, _ query: [String: String] = [:]) -> Request {
            var request = Request()
            (request.path, request.query) = (path, query)
            (request.sentHost, request.sentCookie) = ("127.0.0.1:4000", access.token)
            return request
        }

        @Test func `only requests with the right host, origin, method and cookie are answered`() {
            #expect(access.token.count == 32 && access.token != Access(port: 4000).token)
            #expect(access.objection(to: request("/")) == nil)
            func status(_ change: (inout Request) -> Void) -> Int? {
                var request = request("/")
                change(&request)
                return access.objection(to: request)?.status
            }
            #expect(status { $0.sentHost = "localhost:4000" } == nil)
            for host in [nil, "", "evil.example", "127.0.0.1", "127.0.0.1:4001", "localhost:80", "127.0.0.1:4000.evil"]
            {
                #expect(status { $0.sentHost = host } == 421)
            }
            #expect(status { $0.sentOrigin = "http://127.0.0.1:4000" } == nil)
            for origin in ["null", "http://evil.example", "https://127.0.0.1:4000", "http://localhost:4000", ""] {
                #expect(status { $0.sentOrigin = origin } == 403)
            }
            for method in ["POST", "PUT", "DELETE", "OPTIONS", "get", ""] {
                #expect(status { $0.method = method } == 405)
            }
            for cookie in [nil, "", "x", access.token + "0", String(access.token.dropLast()) + "x"] {
                #expect(status { $0.sentCookie = cookie } == 403)
            }
        }

        @Test func `the token is replaced by a cookie`() {
            var first = request("/", ["token": access.token])
            first.sentCookie = nil
            let answer = access.objection(to: first)
            #expect(answer?.status == 303 && answer?.headers["Location"] == "/")
            #expect(
                answer?.headers["Set-Cookie"] == "inspector-4000=\(access.token); HttpOnly; SameSite=Strict; Path=/")
            first.query["token"] = "0" + access.token.dropFirst()
            if access.token.first != "0" { #expect(access.objection(to: first)?.status == 403) }
        }

        @Test func `strings enter pages escaped`() {
            let text: HTML = "<a href=\"\(hostileName)\">\(hostileName)</a>"
            let escaped = "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; co"
            #expect(text.text == "<a href=\"\(escaped)\">\(escaped)</a>")
        }

        @Test func `each page exists as HTML and JSON, and as CSV if it has a table`() throws {
            let file = try TemporaryStore()
            let site = site(try makeServedFile(file, gadgets: 60))
            for (path, query, words) in [
                ("/", [:], ["Gadget", "60", "/class/Maker", "bytes"]),
                ("/class/Gadget", [:], ["gadget 49", "next 50", "Acme", "60 objects", "facet=price"]),
                ("/class/Gadget", ["after": "50"], ["gadget 59"]),
                ("/class/Gadget/description", [:], ["maker_id", "CREATE TABLE"]),
                ("/object/Maker/1", [:], ["gadget 0", "all 40", "/linked/Maker/1/gadgets"]),
                (
                    "/object/Gadget/1", [:],
                    ["gadget 0", "/object/Maker/1", "<details>", "/data/Gadget/1/photo?shown=1"]
                ),
                ("/object/Gadget/2", [:], ["2 bytes", "/data/Gadget/2/photo", "gadget 0", "Gadget.parts"]),
                ("/linked/Maker/1/gadgets", [:], ["40 elements", "gadget 58", "as a table of Gadget"]),
                ("/linked/Gadget/3/tags", [:], ["2 elements", "tag 1"]),
                ("/linked/Gadget/1/Review.gadget", [:], ["2 elements", "/object/Review/2"]),
                ("/object/Gadget/1/graph", ["depth": "2"], ["2 steps ✓", "parts", "gadget 1"]),
                ("/object/Gadget/1/history", [:], ["by Ada", "price: 0 → 7", "created"]),
                ("/search", ["q": "gadget 5"], ["gadget 58", "more than 10"]),
                ("/search", ["q": "Acme", "class": "Maker"], ["/object/Maker/2"]),
                ("/search", ["q": "nowhere"], ["No object was found"]),
                ("/diagram", [:], ["parts", "many"]),
                ("/find", [:], ["<form"]),
                (
                    "/find", ["q": "Gadget.findByPrice(8)"],
                    ["gadget 8", "reads all rows", "add @Indexed to Gadget.price"]
                ),
                ("/find", ["q": "Gadget.countByNameStartingWith(\"gadget 5\")"], ["11"]),
                ("/find", ["q": "Gadget.findByPrise(7)"], ["no property matches"]),
                ("/sql", ["q": "SELECT count(*) AS n FROM gadget"], ["60", "Time: ", "SCAN"]),
                ("/sql", ["q": "DELETE FROM gadget"], ["The statement writes"]),
                ("/sizes", [:], ["gadget", "<rect"]), ("/check", [:], ["Check the file"]),
                ("/check", ["run": "1"], ["No problems"]), ("/history", [:], ["CREATE TABLE"]),
                ("/live", [:], ["live-changes"]),
            ] as [(String, [String: String], [String])] {
                let page = try response(site, path, query)
                #expect(page.status == 200 && page.type.hasPrefix("text/html"), "\(path): \(page.text)")
                for word in words { #expect(page.text.contains(word), "\(path) \(query): \(word)") }
                #expect(!page.text.contains("<img src=x") && !page.text.contains("style=\""))
                let json = try response(site, path + ".json", query)
                #expect(json.status == 200 && json.type.hasPrefix("application/json"), "\(path)")
                #expect(try JSONSerialization.jsonObject(with: Data(json.body)) is [String: Any], "\(path)")
                let csv = try response(site, path + ".csv", query)
                #expect((csv.status == 200) == page.text.contains("<thead>"), "\(path)")
            }
            #expect(try response(site, "/style.css").type.hasPrefix("text/css"))
            #expect(try response(site, "/script.js").type.hasPrefix("text/javascript"))
            for path in [
                "/nothing", "/class", "/class/X", "/object/Gadget/99", "/object/Gadget/x", "/object/X/1", "/a/b/c/d",
                "/linked/Gadget/1/price", "/linked/Gadget/1/x", "/data/Gadget/1/price", "/data/Gadget/1/x",
            ] {
                #expect(try response(site, path).status == 404, "\(path)")
            }
        }

        @Test func `conditions become a finder, whose result, count, values and plan are shown`() throws {
            let file = try TemporaryStore()
            let site = site(try makeServedFile(file, gadgets: 60))
            func page(_ query: [String: String]) throws -> String { try response(site, "/class/Gadget", query).text }
            let used = try page(["p1": "condition", "o1": "is", "v1": "used", "p2": "price", "o2": "less", "v2": "20"])
            #expect(used.contains("Gadget.findByConditionAndPriceLessThanOrderById(&quot;used&quot;, 20)"))
            #expect(used.contains("10 objects that meet the conditions") && used.contains("gadget 18"))
            #expect(!used.contains("gadget 21") && used.contains("reads all rows"))
            #expect(used.contains("add @Indexed to Gadget.condition, or to Gadget.price"))
            let city = try page(["p1": "maker.city", "o1": "is", "v1": "Graz", "order": "-price"])
            #expect(city.contains("findByMakerCityOrderByPriceDesc(&quot;Graz&quot;)"))
            #expect(city.contains("20 objects") && city.contains("gadget 59"))
            let dates = try page(["p1": "built", "o1": "atLeast", "v1": "2001-02-20"])
            #expect(dates.contains("8 objects that meet"))
            #expect(try page(["p1": "tags", "o1": "contains", "v1": "tag 1"]).contains("20 objects that meet"))
            #expect(try page(["p1": "built", "o1": "isNil"]).contains("12 objects that meet"))
            #expect(try page(["p1": "price", "o1": "is", "v1": "x"]).contains("class=\"note warning\""))
            #expect(try page(["p1": "what", "o1": "is", "v1": "x"]).contains("Gadget has no property what."))
            let second = try page(["order": "name", "skip": "50"])
            #expect(second.contains("gadget 9<") && !second.contains("gadget 10<"))
            let facets = try page([:])
            #expect(facets.contains("<h3>condition</h3>") && facets.contains("<h3>isSold</h3>"))
            #expect(facets.contains("<h3>maker</h3>") && !facets.contains("<h3>price</h3>"))
            #expect(try page(["facet": "price"]).contains("the most frequent 12 values"))
            let json = try response(site, "/class/Gadget.json", ["limit": "60"]).text
            #expect(json.contains("gadget 59"))
        }

        @Test func `collections and inverses are shown in pages`() throws {
            let file = try TemporaryStore()
            let site = site(try makeServedFile(file, gadgets: 90))
            let first = try response(site, "/linked/Maker/1/gadgets").text
            let next = try #require(first.firstMatch(of: /after=(i[0-9]+)/)).1
            #expect(first.contains("60 elements") && first.contains("gadget 73<") && !first.contains("gadget 75<"))
            let second = try response(site, "/linked/Maker/1/gadgets", ["after": String(next)]).text
            #expect(second.contains("gadget 75<") && !second.contains("gadget 73<") && !second.contains("next 50"))
        }

        @Test func `values are downloads, and pictures are recognized by their bytes`() throws {
            let file = try TemporaryStore()
            let site = site(try makeServedFile(file))
            let picture = try response(site, "/data/Gadget/1/photo", ["shown": "1"])
            #expect(picture.type == "image/png" && picture.body == Array(pixel))
            #expect(picture.headers["Content-Disposition"] == nil)
            #expect(try response(site, "/data/Gadget/2/photo", ["shown": "1"]).status == 404)
            for path in ["/data/Gadget/1/photo", "/data/Gadget/2/photo", "/data/Maker/1/name"] {
                let data = try response(site, path)
                #expect(data.status == 200 && data.type == "application/octet-stream")
                #expect(data.headers["Content-Disposition"]?.hasPrefix("attachment; filename=\"") == true)
            }
            #expect(try response(site, "/data/Maker/1/name").text == hostileName)
        }

        @Test func `diagrams are drawings if dot is installed, and tables otherwise`() throws {
            let file = try TemporaryStore()
            let site = site(try makeServedFile(file))
            let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/dot")
            for (page, drawing) in [("/diagram", "/classes.svg"), ("/object/Maker/1/graph", "/graph.svg/Maker/1")] {
                let text = try response(site, page).text
                #expect(text.contains("<tbody><tr>"))
                #expect(text.contains("<img src=\"\(drawing)") == isInstalled, "\(text)")
                let svg = try response(site, drawing)
                #expect(svg.status == (isInstalled ? 200 : 404))
                if isInstalled {
                    #expect(svg.type == "image/svg+xml" && svg.text.contains("<svg") && !svg.text.contains("<img"))
                }
            }
        }

        @Test func `a row with markup is shown as text`() throws {
            let file = try TemporaryStore()
            let site = site(try makeServedFile(file))
            for path in ["/class/Maker", "/object/Maker/1", "/object/Gadget/1", "/object/Gadget/1/graph"] {
                let body = try response(site, path).text
                #expect(body.contains("&lt;img src=x onerror=") && !body.contains("<img src=x"), "\(path)")
            }
        }

        @Test func `a missing, damaged or foreign file is explained`() throws {
            let file = try TemporaryStore()
            #expect(try response(site(file.path), "/").text.contains("does not exist."))
            try Data("not a database, not a database".utf8).write(to: URL(filePath: file.path))
            #expect(try response(site(file.path), "/").status == 404)
            try FileManager.default.removeItem(atPath: file.path)
            _ = try SQLiteTool.run(file.path, "CREATE TABLE a (b)")
            #expect(try response(site(file.path), "/").text.contains("was not written by PersistentObjects"))
        }

        @Test(.hangLimit)
        func `requests for changes are answered early if more wait than are listened to`() async throws {
            let file = try TemporaryStore()
            let changes = ChangeFeed(path: try makeServedFile(file), patience: 36000)
            defer { changes.stop() }
            let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
            changes.start { wake.yield() }
            for _ in 0...ChangeFeed.listeners {
                #expect(changes.response(to: request("/changes", ["since": "0"])) == nil)
            }
            var iterator = wakes.makeAsyncIterator()
            await expect(iterator.next() != nil, true)
        }
    }
#endif
