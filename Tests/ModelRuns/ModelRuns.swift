// ModelRuns: random operations on objects, compared with a model of plain values. Bytes determine the operations, so
// that seeds, libFuzzer and shrinking share one format. It knows the library as its users do.

import Dispatch
import Foundation
@_spi(Locks) import StoreEngine

/// The error if the library and the model differ.
public struct ModelFailure: Error, CustomStringConvertible {
    /// The seed or the number of bytes, the shrunk operations, and the difference.
    public let description: String
}

/// Runs of operations that are compared with a model.
public enum ModelRuns {
    /// Runs the operations that some bytes determine: one byte for the kind of run, and six bytes for each operation.
    ///
    /// - Throws: `ModelFailure` if the library and the model differ.
    public static func run(_ bytes: [UInt8]) throws {
        if let failure = failure(of: bytes) { throw failed("\(bytes.count) bytes", bytes, failure) }
    }

    /// Runs some seeds, as many concurrently as the machine has cores.
    ///
    /// - Returns: A line with the figures.
    /// - Throws: `ModelFailure` for a failing seed, shrunk.
    public static func run(seeds: Range<UInt64>, operations: Int) throws -> String {
        let begun = ContinuousClock.now
        let state = Locked((next: seeds.lowerBound, failure: ModelFailure?.none))
        DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
            while let seed = state.withLock({ state in
                guard state.next < seeds.upperBound, state.failure == nil else { return UInt64?.none }
                defer { state.next += 1 }
                return state.next
            }) {
                let bytes = Self.bytes(seed, operations)
                guard let failure = failure(of: bytes) else { continue }
                let found = failed("SEED=\(seed)", bytes, failure)
                state.withLock { $0.failure = found }
            }
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
        let seconds = (ContinuousClock.now - begun).components.seconds
        return "\(seeds.count) seeds of \(operations) operations, no difference from the model; \(seconds) s"
    }

    private static func bytes(_ seed: UInt64, _ operations: Int) -> [UInt8] {
        var random = ModelRandom(seed: seed)
        return (0..<1 + operations * ModelRun.width).map { _ in UInt8(truncatingIfNeeded: random.next() >> 24) }
    }

    /// The failure of a run, with its number of operations; nil if it succeeds.
    private static func failure(of bytes: [UInt8]) -> (text: String, count: Int)? {
        do {
            let run = try ModelRun(bytes)
            do { try run.run() } catch let difference as ModelDifference {
                return (difference.text, run.count)
            } catch { return ("\(error)", run.count) }
        } catch { return ("\(error)", 0) }
        return nil
    }

    /// The kind of a failure, without its numbers. A shorter run must fail in the same way.
    private static func kind(_ text: String) -> String { text.filter { !$0.isNumber } }

    /// The failure of a run, shrunk with a limited number of attempts.
    private static func failed(_ name: String, _ bytes: [UInt8], _ failure: (text: String, count: Int)) -> ModelFailure
    {
        // Operations after the failure are removed.
        var bytes = Array(bytes.prefix(1 + failure.count * ModelRun.width))
        var text = failure.text
        var size = max(failure.count / 2, 1)
        var tries = 400
        while size > 0, tries > 0 {
            var start = bytes.count - size * ModelRun.width
            var isShorter = false
            while start >= 1, tries > 0 {
                tries -= 1
                var fewer = bytes
                fewer.removeSubrange(start..<min(start + size * ModelRun.width, bytes.count))
                if let failure = Self.failure(of: fewer), kind(failure.text) == kind(text) {
                    (bytes, text, isShorter) = (fewer, failure.text, true)
                }
                start -= size * ModelRun.width
            }
            if size == 1, !isShorter { break }
            size = isShorter && size == 1 ? 1 : size / 2
        }
        let log = (try? ModelRun(bytes, isLogged: true)).map { run in
            try? run.run()
            return run.log
        }
        return ModelFailure(
            description: "\(name): \(text)\n  \((log ?? []).joined(separator: "\n  "))\n  bytes: \(bytes)")
    }
}
