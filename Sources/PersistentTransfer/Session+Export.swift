// PersistentTransfer: objects as JSON and CSV, out of a store and into one. It knows what the library's `package`
// declarations say of classes, rows and sessions; it must not know files of other programs, which are the business of
// `Foreign`.

internal import Foundation
internal import PersistentObjects

extension Session {
    /// Writes all rows of some classes into a file, as they are in one state of the database.
    ///
    /// - Returns: how many rows there were.
    func export(
        _ types: [PersistentObject.Type], to url: URL, _ format: TransferFormat, _ meter: TransferMeter
    ) throws -> Int {
        try enter {
            let sources = try exportSources(types, format)
            try checkIsNotOwn(url)
            let file = try OutputFile(url, permissions: store.configuration.filePermissions)
            var count = 0
            try inOneState {
                meter.begin(
                    try sources.reduce(0) { try $0 + $1.space.rowCount() })
                var writer = RecordWriter(format, sources)
                try file.write { writer.begin(&$0) }
                for source in sources {
                    try ExportReader(source, self).forEach { row in
                        try file.write { try writer.write(row, to: &$0) }
                        count += 1
                        try meter.advance(to: Int64(count))
                    }
                }
                try file.write { writer.end(&$0) }
            }
            try meter.end(Int64(count))
            try file.finish()
            return count
        }
    }

    private func exportSources(_ types: [PersistentObject.Type], _ format: TransferFormat) throws -> [ExportSource] {
        guard !types.isEmpty else { throw TransferError("The export names no class. Name at least one") }
        if case .csv = format, types.count > 1 {
            throw TransferError("A CSV file can contain only one class. Export each class to a separate file")
        }
        var maps: [ClassMap] = []
        for type in types {
            let map = try space(of: type).map
            if let other = maps.first(where: { $0.derives(from: map) || map.derives(from: $0) }) {
                throw TransferError(
                    "The export would contain some objects twice, because \(map.name) and \(other.name) are "
                        + "related. Name only one of them")
            }
            for property in map.properties where property.name == JSONNames.className {
                throw TransferError(
                    "The property's name is reserved for the class name in exports. Exclude the class or rename "
                        + "the property",
                    className: map.name, property: property.name)
            }
            maps.append(map)
        }
        // Those that are referred to come first, so that an import has seldom to wait for what comes later.
        maps = ClassOrder.targetsFirst(maps)
        // The classes of the rows are known when all tables are made.
        for map in maps { for target in map.linkedClasses { _ = try space(of: target) } }
        return try maps.map { try ExportSource(try space(of: $0.type), namesClass: types.count > 1, self) }
    }
}

/// An order of classes.
enum ClassOrder {
    /// The classes that are referred to before those that refer to them; in a ring as they are given.
    static func targetsFirst(_ maps: [ClassMap]) -> [ClassMap] {
        var left = maps
        var ordered: [ClassMap] = []
        while !left.isEmpty {
            let roots = left.map { ObjectIdentifier($0.root) }
            let next =
                left.firstIndex { map in
                    map.properties.allSatisfy { property in
                        guard let target = property.linkedClass, let targetMap = try? ClassMap.map(of: target) else {
                            return true
                        }
                        if property.isInverse { return true }
                        return targetMap.root == map.root || !roots.contains(ObjectIdentifier(targetMap.root))
                    }
                } ?? 0
            ordered.append(left.remove(at: next))
        }
        return ordered
    }
}
