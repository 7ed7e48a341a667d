import Foundation
import FuzzTargets

/// The target that the environment names, ready for its first bytes.
private let runner: FuzzRunner = {
    let name = ProcessInfo.processInfo.environment["PO_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        stop("PO_FUZZ_TARGET is \"\(name)\"; there are \(FuzzTarget.allCases.map(\.rawValue))")
    }
    do { return try FuzzRunner(target) } catch { stop("\(name): \(error)") }
}()

/// libFuzzer knows of a finding by the program's end.
private func stop(_ text: String) -> Never {
    FileHandle.standardError.write(Data("fuzz: \(text)\n".utf8))
    abort()
}

/// Called by libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do { try runner.run(Array(UnsafeBufferPointer(start: start, count: count))) } catch { stop("\(error)") }
    return 0
}
