// PersistentTransfer: exports objects as JSON and CSV, and imports JSON. It uses the library's `package` declarations
// of classes, rows and sessions. Only the folder `Foreign` may know the files of other programs.

internal import Foundation
internal import PersistentObjects

extension Session {
    /// Writes all rows of some classes to a file, from one state of the database.
    ///
    /// - Returns: The number of rows.
    func export(
        _ types: [PersistentObject.Type], to url: URL, _ format: TransferFormat, _ values: ExportedValues,
        _ meter: TransferMeter
    ) throws -> Int {
        try enter {
            let sources = try exportSources(types, format, values)
            try checkIsNotOwn(url)
            let file = try OutputFile(url, permissions: store.configuration.filePermissions)
            var count = 0
            try inOneState {
                meter.begin(
                    try sources.reduce(0) { try $0 + $1.space.rowCount() })
                var writer = RecordWriter(format, sources, values)
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

    private func exportSources(
        _ types: [PersistentObject.Type], _ format: TransferFormat, _ values: ExportedValues
    ) throws -> [ExportSource] {
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
        // Referenced classes come first, because then an import rarely has to wait for rows that appear later.
        maps = ClassOrder.targetsFirst(maps)
        // The rows' classes are known only after all tables were created.
        for map in maps { for target in map.linkedClasses { _ = try space(of: target) } }
        return try maps.map { try ExportSource(try space(of: $0.type), namesClass: types.count > 1, values, self) }
    }
}

/// Sorts classes by their references.
enum ClassOrder {
    /// Referenced classes before the classes that refer to them. The classes of a cycle keep their order.
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
