internal import Foundation
internal import PersistentInspector

/// Answers requests with pages, each as HTML and as JSON.
struct Site: Sendable {
    let access: Access
    let pages: InspectorPages

    func response(to request: Request) -> Response {
        if let objection = access.objection(to: request) { return objection }
        if request.path == "/style.css" {
            return Response(status: 200, type: "text/css; charset=utf-8", body: PageHTML.style)
        }
        let isJSON = request.path.hasSuffix(".json")
        let path = isJSON ? String(request.path.dropLast(".json".count)) : request.path
        do {
            // The page of the classes is `/`, and its JSON is `/.json`.
            guard let content = try pages.page(path, request.query) else {
                return .refused(404, "There is no such page.")
            }
            return isJSON
                ? Response(status: 200, type: "application/json; charset=utf-8", body: content.json)
                : Response(
                    status: 200, type: "text/html; charset=utf-8",
                    body: PageHTML.page(content, json: Site.jsonAddress(of: request)))
        } catch { return .refused(404, "\(error)") }
    }

    /// The address of a page's JSON.
    private static func jsonAddress(of request: Request) -> String {
        func encoded(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
        let path = "/" + request.path.split(separator: "/").map { encoded(String($0)) }.joined(separator: "/")
        let query = ["q", "after"].compactMap { name in request.query[name].map { "\(name)=\(encoded($0))" } }
        return path + ".json" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}
