import CFaultVFS
import Foundation

/// A copy of this process, made by `fork`.
///
/// A run starts no thread and opens no store before it copies itself. So the copy inherits no lock or unfinished work,
/// and analyses the classes again.
struct ChildProcess {
    /// How a process ended.
    enum End: Equatable {
        case finished
        case killed
        case failed(String)
    }

    private let id: Int32
    private let report: Int32

    /// Runs `body` in a copy, which exits when `body` returns. The copy reports an error of `body`.
    init(_ body: () throws -> Void) throws {
        var pipe: [Int32] = [0, 0]
        try require(Foundation.pipe(&pipe) == 0, "no pipe: \(errno)")
        let id = po_fork()
        if id == 0 {
            close(pipe[0])
            do {
                try body()
                _exit(0)
            } catch {
                let text = Array("\(error)".utf8)
                write(pipe[1], text, text.count)
                _exit(1)
            }
        }
        close(pipe[1])
        try require(id > 0, "no child: \(errno)")
        self.id = id
        report = pipe[0]
    }

    func kill() { _ = Foundation.kill(id, SIGKILL) }

    /// Stops the process until `resume()`.
    func pause() { _ = Foundation.kill(id, SIGSTOP) }

    func resume() { _ = Foundation.kill(id, SIGCONT) }

    /// Waits for the end of the process, and then reads its report. To read first could mean to wait for later copies
    /// too, because they inherit the pipe.
    func wait() -> End {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 && errno == EINTR {}
        var text: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(report, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
        close(report)
        let signal = status & 0x7f
        if signal == SIGKILL { return .killed }
        if signal != 0 { return .failed("it died of signal \(signal)") }
        return status == 0 ? .finished : .failed(String(decoding: text, as: UTF8.self))
    }

    /// Runs `body` in a copy, and waits for its end.
    static func run(_ body: () throws -> Void) throws {
        switch try ChildProcess(body).wait() {
        case .finished: return
        case .killed: throw Failure("it was killed by somebody")
        case .failed(let problem): throw Failure(problem)
        }
    }
}
