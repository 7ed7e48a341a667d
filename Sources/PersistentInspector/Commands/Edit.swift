internal import PersistentObjects
internal import StoreEngine

/// A change of one object's values, which is written only with `--yes`.
enum Edit {
    static func run(_ call: CommandCall) throws -> Bool {
        let edit = try edit(call)
        let object = edit.object
        for assignment in edit.assignments {
            let property = assignment.property
            func text(_ value: DatabaseValue) -> String { ValueText.quoted(value, type: property.shownType) }
            try call.write("\(object.name).\(property.name): \(text(assignment.old)) → \(text(assignment.new))")
        }
        try call.write(edit.sql.text)
        guard call.has("--yes") else {
            try call.write("Nothing was changed. Add --yes to write")
            return false
        }
        try FileWriter(path: call.path).run(edit.sql, edit.values, object) { copy in
            switch copy {
            case .made(let path): try call.write("The file was copied to \(path)")
            case .kept(let path): try call.write("The earlier copy \(path) is kept")
            case .none: try call.write("A store on a server is not copied. Keep the old values above")
            }
        }
        try call.write("Written. The program's validations and hooks did not run")
        return false
    }

    /// The edit of a command. The file is closed afterwards, because reading a left-over log excludes writers.
    private static func edit(_ call: CommandCall) throws -> ObjectEdit {
        let file = try call.file()
        let object = try file.object(file.description(of: call.words[0]), call.words[1])
        let values = try call.words[2...].map { word in
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else {
                throw InspectorError("A new value is written as PROPERTY=VALUE, not \(word).")
            }
            return (name: parts[0], text: parts[1])
        }
        return try ObjectEdit(object, values, in: file)
    }
}
