/// How long to wait after failures.
enum Backoff {
    /// 1, 2, 4 seconds and so on, up to 5 minutes; up to a quarter more, so that devices do not repeat together.
    static func delay(after failures: Int) -> Duration {
        let seconds = min(300, 1 << min(failures - 1, 9))
        return .milliseconds(seconds * 1000 + Int.random(in: 0...seconds * 250))
    }
}
