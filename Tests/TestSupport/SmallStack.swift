internal import Foundation

/// Runs `body` on a thread with a stack of 512 KB, which recursion over 20,000 objects overflows.
public func onSmallStack<R: Sendable>(_ body: @escaping @Sendable () throws -> R) throws -> R {
    let result = Recorder<Result<R, any Error>>()
    let finished = DispatchSemaphore(value: 0)
    let thread = Thread {
        result.add(Result { try body() })
        finished.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    finished.wait()
    return try result.all[0].get()
}
