import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Replays the inputs that the fuzzers found, and their seed inputs.
struct CorpusTests {
    @Test(.onPlainFiles("the inputs are plain files"), arguments: FuzzTarget.allCases)
    func `each stored input passes its fuzz target or is rejected by it`(target: FuzzTarget) throws {
        let files = try target.corpus()
        #expect(!files.isEmpty)
        let runner = try FuzzRunner(target)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            #expect(throws: Never.self, "\(file.lastPathComponent)") { () throws in try runner.run(bytes) }
        }
    }
}
