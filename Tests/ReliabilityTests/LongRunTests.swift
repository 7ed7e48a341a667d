#if !canImport(Darwin) || os(macOS)
    import Foundation
    import TestSupport
    import Testing

    /// Short versions of the long runs in Docs/Reliability.md, with the program `endurance` from the same build.
    @Suite(.ownThreads) struct LongRunTests {
        /// Without encryption, SQLite does not notice a flipped bit.
        private static let flips = TestEngine.isSealed ? [("flips", "12", "0 not noticed")] : []

        #if Sync
            private static let sync = [("sync-bytes", "60", "60 inputs")]
        #else
            private static let sync: [(String, String, String)] = []
        #endif

        @Test(
            arguments: [
                ("kills", "12", "0 acknowledged steps lost, 0 in part"), ("power", "15", "0 damaged or in part"),
                ("writers", "25", "0 updates lost, 0 errors"), ("versions", "2", "nothing lost, every error typed"),
                ("client", "1", "objects agree"), ("chain", "20000", "20000 linked objects on a stack of 512 KB"),
                ("transfers", "4", "all came back bit for bit"), ("chains", "10", "0 differences"),
                ("isolation", "2", "0 lost, 0 twice, 0 that failed and came, no anomaly of isolation"),
            ] + flips + sync)
        func `a short version of each long run finds no problem`(_ name: String, _ rounds: String, _ figures: String)
            throws
        {
            let output = Pipe()
            let process = Process()
            process.executableURL = try LongRunTests.program()
            process.arguments = [name, "--rounds", rounds]
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let printed = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0 && process.terminationReason == .exit, "\(printed)")
            #expect(printed.contains(figures), "\(printed)")
        }

        /// Searches the parent folders of the tests for the program.
        private static func program() throws -> URL {
            var folder = (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
                .resolvingSymlinksInPath()
            let bundle = Bundle(for: Anchor.self).bundleURL.resolvingSymlinksInPath()
            for start in [bundle, folder] {
                folder = start
                while folder.path != "/" {
                    folder.deleteLastPathComponent()
                    let file = folder.appending(path: "endurance")
                    var isFolder: ObjCBool = false
                    if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue {
                        return file
                    }
                }
            }
            throw NotFound()
        }

        private struct NotFound: Error {}
        private final class Anchor {}
    }
#endif
