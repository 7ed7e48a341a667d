import Foundation
import FuzzTargets
import Testing

/// What the fuzzers have found, and what they begin with, once more.
struct CorpusTests {
    @Test(arguments: FuzzTarget.allCases)
    func `each input that is kept does what it must, or is refused`(target: FuzzTarget) throws {
        let files = try target.corpus()
        #expect(!files.isEmpty)
        let runner = try FuzzRunner(target)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            #expect(throws: Never.self, "\(file.lastPathComponent)") { () throws in try runner.run(bytes) }
        }
    }
}
