import Foundation
import PersistentTransfer
import TestSupport

@testable import PersistentObjects

// Work with a whole file: schema changes, imports and maintenance.
extension FaultScript {
    static let care: [FaultScript] = [
        firstUse, schemaChange, migration, importing, skippingImport, backup, replacingBackup, vacuum, checkpoint,
        integrityCheck,
        fetch,
        lazyLoading,
    ]

    static let firstUse = FaultScript(
        name: "the first use of a class",
        begin: { stage in
            let (ann, joe) = (Visitor(), Visitor())
            (ann.name, ann.friends, ann.ticket, joe.name) = ("Ann", [joe], Ticket(), "Joe")
            return Work(held: [ann, joe]) { try ann.save() }
        },
        // The tables are created in a separate transaction.
        steps: [
            { store in
                for type in orchestraClasses { try store.prepare(type) }
                try store.prepare(Visitor.self)
            }
        ])

    static let schemaChange = FaultScript(
        name: "a change of a class", classes: [FirstHall.Hall.self], preparedClasses: [],
        fill: { session in
            try session.save(
                (0..<20).map { number in
                    let hall = FirstHall.Hall()
                    (hall.name, hall.seats, hall.tag) = ("Hall \(number)", "\(number * 100)", "tag \(number)")
                    return hall
                })
        },
        begin: { _ in
            Work {
                guard try SecondHall.Hall.all().map(\.seats).reduce(0, +) == 19000 else {
                    throw CocoaError(.coderInvalidValue)
                }
            }
        },
        // The query runs after the transaction that changes the tables.
        steps: [{ store in try store.prepare(SecondHall.Hall.self) }])

    static let migration = FaultScript(name: "a step of migrate") { stage in
        Work {
            try stage.store.migrate("2026-11 louder") { session in
                for musician in try Musician.all() { musician.name += "!" }
                try session.saveChanges()
            }
        }
    }

    static let importing = FaultScript(name: "an import") { stage in
        let url = try imported(stage)
        return Work { _ = try stage.store.import(Concert.self, from: url) }
    }

    /// An import that skips invalid rows must not treat a failing disk as an invalid row.
    static let skippingImport = FaultScript(name: "an import that skips rows") { stage in
        let url = try imported(stage)
        return Work { _ = try stage.store.import(Concert.self, from: url, onError: { _ in .skip }) }
    }

    private static func imported(_ stage: FaultStage) throws -> URL {
        let lines = (0..<40).map { #"{"$class": "Concert", "id": \#($0 + 1), "title": "imported \#($0)"}"# }
        let url = URL(filePath: stage.path("import.jsonl"))
        try Data(lines.joined(separator: "\n").utf8).write(to: url)
        return url
    }

    static let backup = FaultScript(
        name: "a backup",
        begin: { stage in Work { try stage.store.backup(to: stage.path("copy.sqlite"), replacing: true) } },
        check: { stage in
            // There is a complete copy or none, and no partial file.
            let dump = try FileDump(stage.path("copy.sqlite"))
            let isWhole = try dump.lines.isEmpty || dump == FileDump(stage.folder.file.path)
            return try leftovers(stage) + (isWhole ? [] : ["the copy is half of one"])
        })

    static let replacingBackup = FaultScript(
        name: "a backup that replaces another",
        begin: { stage in
            try stage.store.backup(to: stage.path("copy.sqlite"))
            try Concert("since").save()
            return Work { try stage.store.backup(to: stage.path("copy.sqlite"), replacing: true) }
        },
        check: { stage in
            let now = try FileDump(stage.folder.file.path)
            let copy = try FileDump(stage.path("copy.sqlite"))
            let missing = now.lines.filter { !copy.lines.contains($0) }
            let isOld = copy.lines.count == now.lines.count - 1 && missing.contains { $0.contains("since") }
            return try leftovers(stage) + (isOld || copy == now ? [] : ["the copy is neither the old nor the new one"])
        })

    private static func leftovers(_ stage: FaultStage) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: stage.folder.file.folder.path)
            .filter { $0.contains("partial") }.map { "\($0) is left" }
    }

    static let vacuum = FaultScript(name: "a vacuum") { stage in
        try Orchestra.findOnlyBy.name("Philharmonic").delete()
        return Work { try stage.store.vacuum() }
    }

    static let checkpoint = FaultScript(name: "a checkpoint") { stage in
        try Orchestra.findOnlyBy.name("Philharmonic").delete()
        return Work { try stage.store.checkpoint() }
    }

    static let integrityCheck = FaultScript(name: "a check of integrity") { stage in
        Work {
            let report = try stage.store.checkIntegrity()
            if !report.problems.isEmpty { throw FoundProblems(report: "\(report)") }
        }
    }

    private struct FoundProblems: Error {
        let report: String
    }

    static let fetch = FaultScript(name: "a fetch") { _ in
        Work {
            for orchestra in try Orchestra.all() where orchestra.musicians.count != 2 {
                throw orchestra.$musicians.problem ?? CocoaError(.coderInvalidValue)
            }
        }
    }

    static let lazyLoading = FaultScript(name: "the loading of what is lazy") { _ in
        let orchestra = try Orchestra.findOnlyBy.name("Philharmonic")
        let held = [orchestra] + orchestra.concerts
        return Work(held: held) {
            try orchestra.concerts[0].$programme.load()
            try orchestra.$musicians.load()
        }
    }
}
