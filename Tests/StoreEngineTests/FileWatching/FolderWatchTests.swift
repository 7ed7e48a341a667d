#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import StoreEngine

    /// Watching folders in which other programs add files.
    @Suite(.hangLimit, .ownThreads)
    struct FolderWatchTests {
        /// A second watch, whose report comes after all reports of earlier changes in other folders: the system's notices
        /// are read in their order, and one queue reports them.
        private final class Marker: Sendable {
            private let place: TemporaryStore
            private let reports = Recorder<Bool>()
            private let watch: FolderWatch

            init() throws {
                place = try TemporaryStore()
                let watch = FolderWatch { [reports] in reports.add(true) }
                self.watch = try #require(watch)
                let isWatching = self.watch.watch([place.folder.path])
                #expect(isWatching)
            }

            deinit { watch.cancel() }

            /// Waits until all reports of earlier changes have arrived. A new folder is reported once.
            func wait() {
                _ = mkdir("\(place.folder.path)/\(UUID().uuidString)", 0o700)
                let hasArrived = eventually { !reports.take().isEmpty }
                #expect(hasArrived)
            }
        }

        private let place: TemporaryStore
        private let reports = Recorder<Bool>()
        private let watch: FolderWatch
        private let marker: Marker

        init() throws {
            place = try TemporaryStore()
            marker = try Marker()
            let watch = FolderWatch { [reports] in reports.add(true) }
            self.watch = try #require(watch)
        }

        private var folder: String { place.folder.path }

        private func write(_ name: String) throws { try Data([1]).write(to: URL(filePath: "\(folder)/\(name)")) }

        /// Waits until earlier reports have arrived, and takes them.
        private func takeReports() {
            marker.wait()
            _ = reports.take()
        }

        /// Whether what `body` does is reported, apart from earlier reports.
        private func isReported(by body: () throws -> Void) throws -> Bool {
            takeReports()
            try body()
            return eventually { !reports.take().isEmpty }
        }

        @Test func `files that are added, moved in or completed are reported, and hidden files are not`() throws {
            defer { watch.cancel() }
            #expect(!watch.watch(["\(folder)/none"]))
            #expect(watch.watch([folder, "\(folder)/none"]))
            #expect(try isReported { try write("a") })
            #expect(try isReported { _ = rename("\(folder)/a", "\(folder)/b") })
            #expect(try isReported { _ = link("\(folder)/b", "\(folder)/c") })
            let file = try FileHandle(forWritingTo: URL(filePath: "\(folder)/b"))
            try file.write(contentsOf: Data([2]))
            #expect(try isReported { try file.close() })
            #expect(try isReported { _ = mkdir("\(folder)/new", 0o700) })
            takeReports()
            try write(".hidden")
            marker.wait()
            expect(reports.all.count, 0)
        }

        @Test func `the folders are replaced, and there are no reports after the end`() throws {
            for name in ["one", "two"] { _ = mkdir("\(folder)/\(name)", 0o700) }
            #expect(watch.watch(["\(folder)/one"]))
            #expect(watch.watch(["\(folder)/two"]))
            #expect(try isReported { try write("two/a") })
            takeReports()
            try write("one/a")
            marker.wait()
            expect(reports.all.count, 0)
            // A folder that is removed and made again has another watch.
            #expect(try isReported { try FileManager.default.removeItem(atPath: "\(folder)/two") })
            #expect(!watch.watch(["\(folder)/two"]))
            _ = mkdir("\(folder)/two", 0o700)
            #expect(watch.watch(["\(folder)/two"]))
            #expect(try isReported { try write("two/b") })
            watch.cancel()
            watch.cancel()
            takeReports()
            try write("two/c")
            marker.wait()
            expect(reports.all.count, 0)
            #expect(!watch.watch(["\(folder)/two"]))
        }

        @Test func `a watch of a folder and a watch of a database in it do not disturb each other`() throws {
            defer { watch.cancel() }
            try write("a.store")
            let looks = Recorder<Bool>()
            func database() -> FileWatch {
                FileWatch(
                    WatchedFiles("\(folder)/a.store", endings: ["-wal"]),
                    CommitWatchCalls(look: { looks.add(true) }, report: { _ in }))
            }
            let first = database()
            #expect(watch.watch([folder]))
            let second = database()
            try write("a.store-wal")
            for watch in [first, second] { #expect(eventually { watch.wakeCount > 0 }) }
            #expect(try isReported { try write("other") })
            first.cancel()
            second.cancel()
            #expect(try isReported { try write("another") })
        }
    }
#endif
