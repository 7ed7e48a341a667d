#if Inspector
    import Testing

    @testable import LoopbackHTTP

    /// A server that has answered many requests.
    struct ManyRequestTests {
        @Test func `functions that were read for a hundred thousand requests can still be called`() throws {
            let context = ServerContext(ServerLimits(bodyMethod: "POST"), [])
            context.start(
                { $0.path == "/closed" ? .refused(404, "") : nil },
                { request in .answered(.refused(request.path == "/open" ? 410 : 500, "")) })
            let request = Request(method: "GET", path: "/open")
            for _ in 0..<100_000 { _ = context.handler }
            for _ in 0..<100_000 where context.begin(request).refusal != nil { Issue.record("a refusal") }
            #expect(context.begin(Request(method: "GET", path: "/closed")).refusal?.status == 404)
            guard case .answered(let response)? = context.handler?(request) else {
                Issue.record("no answer")
                return
            }
            #expect(response.status == 410)
        }
    }
#endif
