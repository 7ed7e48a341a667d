import Dispatch
import Foundation
import TestSupport
import Testing

@testable import StoreEngine

/// Watching files whose writes the system reports, and files whose writes it does not report.
@Suite(.hangLimit, .ownThreads)
struct FileWatchTests {
    /// A folder with a database file and its log, and a watch of both.
    private final class Watched: Sendable {
        let place: TemporaryStore
        let looks = Recorder<Bool>()
        let notes = Recorder<String>()
        let watch: FileWatch

        /// - Parameter other: A fixture whose files the new fixture watches as well.
        init(endings: [String] = ["-wal"], folder: String? = nil, beside other: Watched? = nil) throws {
            place = try other?.place ?? TemporaryStore()
            if other == nil { try Data([1]).write(to: URL(filePath: place.path)) }
            let path = folder.map { "\($0)/a.store" } ?? place.path
            watch = FileWatch(
                WatchedFiles(path, endings: endings),
                CommitWatchCalls(look: { [looks] in looks.add(true) }, report: { [notes] in notes.add($0) }))
        }

        deinit { watch.cancel() }

        /// Appends a byte to one of the files.
        func write(_ ending: String) throws {
            let url = URL(filePath: place.path + ending)
            if !FileManager.default.fileExists(atPath: url.path) { return try Data([1]).write(to: url) }
            let file = try FileHandle(forWritingTo: url)
            try file.seekToEnd()
            try file.write(contentsOf: Data([1]))
            try file.close()
        }

        /// Whether `body` wakes the watch, once the watch is listening.
        func isWoken(by body: () throws -> Void) throws -> Bool {
            guard eventually({ watch.isReceiving }) else { return false }
            let count = watch.wakeCount
            try body()
            return eventually { watch.wakeCount > count && looks.take().count > 0 }
        }
    }

    @Test func `after a write the watch looks twice at short delays, and then less and less often`() {
        var rhythm = LookRhythm()
        #expect(rhythm.begin() == 2 && rhythm.isDeaf)
        // The writes of the same commit are not news.
        #expect(rhythm.next(hasNews: true) == 50 && rhythm.isDeaf)
        // The files of an active writer are checked every 50 ms.
        for _ in 1...5 { #expect(rhythm.next(hasNews: true) == 50 && rhythm.isDeaf) }
        let rest = [100, 200, 400, 800, 1600, 3200, 6400]
        for delay in rest { #expect(rhythm.next(hasNews: false) == delay && !rhythm.isDeaf) }
        #expect(rhythm.next(hasNews: false) == nil)
        #expect(rhythm.begin() == 2 && rhythm.isDeaf)
    }

    @Test func `watched files are derived from the path of the database`() {
        let files = WatchedFiles("/a/b.store", endings: ["-wal"])
        #expect(files.folder == "/a" && files.name == "b.store")
        #expect(WatchedFiles("/b", endings: []).folder == "/" && WatchedFiles("/b", endings: []).name == "b")
        #expect(WatchedFiles("b", endings: []).folder == "." && WatchedFiles("b", endings: []).name == "b")
    }

    @Test func `creating, writing, deleting, recreating and replacing the log wakes the watch`() throws {
        let watched = try Watched()
        #expect(try watched.isWoken { try watched.write("-wal") })
        #expect(try watched.isWoken { try watched.write("-wal") })
        let log = watched.place.path + "-wal"
        #expect(try watched.isWoken { try FileManager.default.removeItem(atPath: log) })
        #expect(try watched.isWoken { try watched.write("-wal") })
        #expect(try watched.isWoken { try watched.write("-wal") })
        #expect(
            try watched.isWoken {
                try Data([2]).write(to: URL(filePath: log + "-other"))
                guard rename(log + "-other", log) == 0 else { throw CocoaError(.fileWriteUnknown) }
            })
        #expect(try watched.isWoken { try watched.write("-wal") })
        expect(watched.notes.all, [])
    }

    @Test func `a write to the database file wakes the watch if it is among the watched files`() throws {
        let watched = try Watched(endings: ["", "-wal"])
        #expect(try watched.isWoken { try watched.write("") })
        #expect(try watched.isWoken { try watched.write("-wal") })
    }

    @Test func `watches work for more files than the system grants descriptors for`() throws {
        // Linux grants a user 128 descriptors.
        let all = try (0..<200).map { _ in try Watched() }
        for watched in all { try watched.write("-wal") }
        for watched in all { #expect(eventually { watched.looks.all.count > 0 }) }
        #expect(all.allSatisfy { $0.notes.all == [] && $0.watch.wakeCount > 0 })
    }

    @Test func `several watches of the same files are independent of each other's end`() throws {
        let first = try Watched()
        let (second, third) = (try Watched(beside: first), try Watched(beside: first))
        for watched in [first, second, third] { #expect(try watched.isWoken { try watched.write("-wal") }) }
        let log = first.place.path + "-wal"
        for ending in [first, third] {
            ending.watch.cancel()
            // The log remains, is deleted, and is replaced.
            #expect(try second.isWoken { try second.write("-wal") })
            #expect(try second.isWoken { try FileManager.default.removeItem(atPath: log) })
            #expect(try second.isWoken { try second.write("-wal") })
            #expect(try second.isWoken { try second.write("-wal") })
        }
        #expect([first, second, third].allSatisfy { $0.notes.all == [] })
    }

    @Test func `files that are written continuously do not keep watches of other files from waking`() throws {
        let (busy, other) = (try Watched(), try Watched())
        let isDone = Recorder<Bool>()
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while isDone.all.isEmpty { try? busy.write("-wal") }
            end.signal()
        }
        for _ in 1...10 { #expect(try other.isWoken { try other.write("-wal") }) }
        isDone.add(true)
        end.wait()
        #expect(busy.looks.all.count > 0 && busy.notes.all + other.notes.all == [])
    }

    @Test func `without writes, and for other files of the folder, the watch does not look`() throws {
        let watched = try Watched()
        let other = watched.place.folder.appending(path: "other")
        for byte in 0..<20 {
            try Data([UInt8(byte)]).write(to: other)
            try FileManager.default.removeItem(at: other)
        }
        Thread.sleep(forTimeInterval: 0.3)
        expect(watched.looks.all, [])
    }

    @Test func `many writes lead to few looks`() throws {
        let watched = try Watched()
        try watched.write("-wal")
        let start = ContinuousClock.now
        for _ in 1...2000 { try watched.write("-wal") }
        // The writes may end before the first look.
        #expect(eventually { watched.looks.all.count > 0 })
        // One look every 50 ms and the final ones; two if a busy machine pauses the writes, because each write after a
        // pause of 50 ms wakes the watch again.
        #expect(watched.looks.all.count <= 2 * Int(start.duration(to: .now) / .milliseconds(50)) + 12)
    }

    @Test func `if the system does not report writes, the watch polls and reports that once`() throws {
        let watched = try Watched(folder: "/there/is/no/folder")
        #expect(eventually { watched.looks.all.count > 3 })
        expect(watched.notes.all.count, 1)
        #expect(watched.notes.all.first?.contains("/there/is/no/folder/a.store") ?? false)
        #expect(watched.notes.all.first?.contains("every 100 ms") ?? false)
        watched.watch.cancel()
        var last = -1
        // The polling ends, though a call may have been in progress.
        while last != watched.looks.all.count {
            last = watched.looks.all.count
            Thread.sleep(forTimeInterval: 0.5)
        }
    }

    @Test func `cancelling a watch releases its descriptor and ends its calls, at rest and between looks`() throws {
        for writes in [false, true] {
            let watched = try Watched()
            let before = descriptorsWatching(watched.place.folder)
            #expect(before == nil || before == 1)
            if writes { try watched.write("-wal") }
            watched.watch.cancel()
            watched.watch.cancel()
            #expect(eventually { (descriptorsWatching(watched.place.folder) ?? 0) == 0 })
            _ = watched.looks.take()
            try watched.write("-wal")
            Thread.sleep(forTimeInterval: 0.2)
            #expect(watched.looks.all == [])
        }
    }

    @Test func `watches can be cancelled immediately, many times, from several threads`() throws {
        let place = try TemporaryStore()
        // Watches end asynchronously after their cancellation.
        for _ in 0..<10 {
            DispatchQueue.concurrentPerform(iterations: 20) { turn in
                let watch = FileWatch(
                    WatchedFiles(place.path, endings: ["-wal"]), CommitWatchCalls(look: {}, report: { _ in }))
                if turn % 2 == 0 { try? Data([1]).write(to: URL(filePath: place.path + "-wal")) }
                if turn % 3 == 0 { Thread.sleep(forTimeInterval: 0.003) }
                watch.cancel()
            }
            #expect(eventually { (descriptorsWatching(place.folder) ?? 0) == 0 })
        }
    }
}
