#if Inspector
    import Foundation
    import PersistentInspector
    import PersistentObjects
    import TestSupport
    import Testing

    @testable import InspectorServer

    /// The check of requests, and the contents of pages, without a connection.
    struct SiteTests {
        private let access = Access(port: 4000)

        private func site(_ path: String) -> Site { Site(access: access, pages: InspectorPages(path: path)) }

        private func request(_ path: String, _ query: [String: String] = [:]) -> Request {
            var request = Request()
            (request.path, request.query) = (path, query)
            (request.host, request.cookie) = ("127.0.0.1:4000", access.token)
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
            #expect(status { $0.host = "localhost:4000" } == nil)
            for host in [nil, "", "evil.example", "127.0.0.1", "127.0.0.1:4001", "localhost:80", "127.0.0.1:4000.evil"]
            {
                #expect(status { $0.host = host } == 421)
            }
            #expect(status { $0.origin = "http://127.0.0.1:4000" } == nil)
            for origin in ["null", "http://evil.example", "https://127.0.0.1:4000", "http://localhost:4000", ""] {
                #expect(status { $0.origin = origin } == 403)
            }
            for method in ["POST", "PUT", "DELETE", "OPTIONS", "get", ""] {
                #expect(status { $0.method = method } == 405)
            }
            for cookie in [nil, "", "x", access.token + "0", String(access.token.dropLast()) + "x"] {
                #expect(status { $0.cookie = cookie } == 403)
            }
        }

        @Test func `the token is replaced by a cookie`() {
            var first = request("/", ["token": access.token])
            first.cookie = nil
            let answer = access.objection(to: first)
            #expect(answer?.status == 303 && answer?.headers["Location"] == "/")
            #expect(answer?.headers["Set-Cookie"] == "inspector=\(access.token); HttpOnly; SameSite=Strict; Path=/")
            first.query["token"] = "0" + access.token.dropFirst()
            if access.token.first != "0" { #expect(access.objection(to: first)?.status == 403) }
        }

        @Test func `strings enter pages escaped`() {
            let text: HTML = "<a href=\"\(hostileName)\">\(hostileName)</a>"
            let escaped = "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; co"
            #expect(text.text == "<a href=\"\(escaped)\">\(escaped)</a>")
        }

        @Test func `each page exists as HTML and JSON`() throws {
            let file = try TemporaryStore()
            let site = site(try makeServedFile(file, gadgets: 60))
            for (path, query, words) in [
                ("/", [:], ["Gadget", "60", "/class/Maker"]), ("/class/Gadget", [:], ["gadget 49", "next 50"]),
                ("/class/Gadget", ["after": "50"], ["gadget 59"]), ("/object/Maker/1", [:], ["Gadget #1", "60: "]),
                ("/object/Gadget/1", [:], ["gadget 0", "/object/Maker/1"]), ("/find", [:], ["<form"]),
                ("/find", ["q": "Gadget.findByPrice(7)"], ["gadget 7", "SCAN gadget"]),
                ("/find", ["q": "Gadget.findByPrise(7)"], ["no property matches"]),
                ("/sql", ["q": "SELECT count(*) AS n FROM gadget"], ["60"]),
                ("/sql", ["q": "DELETE FROM gadget"], ["The statement writes"]), ("/sizes", [:], ["gadget"]),
                ("/check", [:], ["No problems"]), ("/history", [:], ["CREATE TABLE"]),
            ] as [(String, [String: String], [String])] {
                let page = site.response(to: request(path, query))
                #expect(page.status == 200 && page.type.hasPrefix("text/html"), "\(path)")
                for word in words { #expect(page.body.contains(word), "\(path) \(query): \(word)") }
                #expect(!page.body.contains("<img") && !page.body.contains("<script") && !page.body.contains("style="))
                let json = site.response(to: request((path == "/" ? "/" : path) + ".json", query))
                #expect(json.status == 200 && json.type.hasPrefix("application/json"))
                #expect(try JSONSerialization.jsonObject(with: Data(json.body.utf8)) is [String: Any], "\(path)")
            }
            #expect(site.response(to: request("/style.css")).type.hasPrefix("text/css"))
            for path in [
                "/nothing", "/class", "/class/X", "/object/Gadget/99", "/object/Gadget/x", "/object/X/1", "/a/b/c/d",
            ] {
                #expect(site.response(to: request(path)).status == 404, "\(path)")
            }
        }

        @Test func `a row with markup is shown as text`() throws {
            let file = try TemporaryStore()
            let site = site(try makeServedFile(file))
            for path in ["/class/Maker", "/object/Maker/1", "/object/Gadget/1"] {
                let body = site.response(to: request(path)).body
                #expect(body.contains("&lt;img src=x onerror=") && !body.contains("<img"), "\(path)")
            }
        }

        @Test func `a missing, damaged or foreign file is explained`() throws {
            let file = try TemporaryStore()
            #expect(site(file.path).response(to: request("/")).body.contains("does not exist."))
            try Data("not a database, not a database".utf8).write(to: URL(filePath: file.path))
            #expect(site(file.path).response(to: request("/")).status == 404)
            try FileManager.default.removeItem(atPath: file.path)
            _ = try SQLiteTool.run(file.path, "CREATE TABLE a (b)")
            #expect(site(file.path).response(to: request("/")).body.contains("was not written by PersistentObjects"))
        }
    }
#endif
