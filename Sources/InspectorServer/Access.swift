internal import LoopbackHTTP

/// Decides which requests are answered: those of a browser on this machine that was opened with the token.
struct Access: Sendable {
    /// 128 random bits.
    let token: String
    /// 128 random bits, in each form that changes the file.
    let formToken: String
    let port: UInt16
    /// Whether forms can change the file.
    let isWritable: Bool

    init(port: UInt16, isWritable: Bool = false) {
        token = Access.randomToken()
        formToken = Access.randomToken()
        self.port = port
        self.isWritable = isWritable
    }

    /// A browser sends the cookies of all ports of a machine, so the cookies of two inspectors differ in their names.
    private var cookieName: String { "inspector-\(port)" }

    private static func randomToken() -> String {
        (0..<4).map { _ in
            let digits = String(UInt32.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// The reason that a request is refused, or the redirection that replaces the token by a cookie; nil if the request
    /// is answered.
    func objection(to request: Request) -> Response? {
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        // A page of another site whose name was made to lead to this machine sends that name.
        guard let host = request.host, hosts.contains(host) else {
            return .refused(421, "The inspector answers only requests to 127.0.0.1.")
        }
        if let origin = request.origin, origin != "http://\(host)" {
            return .refused(403, "The inspector does not answer requests by other sites.")
        }
        let isForm = request.method == "POST" && isWritable
        guard request.method == "GET" || request.method == "HEAD" || isForm else {
            return .refused(405, "The inspector only reads, so it answers only GET.")
        }
        if let given = request.query["token"], !isForm {
            guard Access.areEqual(given, token) else {
                return .refused(403, "The token is wrong. Use the address that was printed.")
            }
            // The address without the token is what the history of the browser keeps.
            let cookie = "\(cookieName)=\(token); HttpOnly; SameSite=Strict; Path=/"
            return Response(status: 303, headers: ["Location": "/", "Set-Cookie": cookie])
        }
        guard let cookie = request.cookie(cookieName), Access.areEqual(cookie, token) else {
            return .refused(403, "The token is missing. Use the address that was printed.")
        }
        guard !isForm || request.origin != nil && Access.areEqual(request.form["form"] ?? "", formToken) else {
            return .refused(403, "The form is not from a page of this inspector. Load the page again.")
        }
        return nil
    }

    /// Compares in the same time wherever the first difference is.
    private static func areEqual(_ text: String, _ token: String) -> Bool {
        let (given, own) = (Array(text.utf8), Array(token.utf8))
        guard given.count == own.count else { return false }
        return zip(given, own).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
