/// The limits of a server.
package struct ServerLimits: Sendable {
    /// The method whose requests may have a body.
    package var bodyMethod: String
    /// The longest body, in bytes.
    package var bodyBytes = 8 << 20
    /// How many bytes of requests may be in memory at once.
    package var memory = 256 << 20
    /// How many seconds a client may send nothing.
    package var idleSeconds: UInt32 = 15
    /// How many seconds the body of a request may take.
    package var bodySeconds = 60
    /// How many seconds a request may wait for news.
    package var waitSeconds = 50
    /// How many requests may wait for news at once; more are answered without waiting.
    package var waiting = 300
    package var connections: UInt32 = 500
    package var threads: UInt32 = 4
    package var headBytes = 16 * 1024

    package init(bodyMethod: String) { self.bodyMethod = bodyMethod }
}
