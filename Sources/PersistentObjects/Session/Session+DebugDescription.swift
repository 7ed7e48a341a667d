internal import StoreEngine

// A description of a session's contents for a debugger or a log.
extension Session: CustomDebugStringConvertible {
    /// The level of detail of `debugDescription(_:)`.
    public enum DebugStyle: Sendable {
        /// One line for each object: its class, id, key and changed properties.
        case short
        /// In addition, a line for each property with its value.
        ///
        /// For a changed property, the database's value is printed before it.
        case long
    }

    /// The objects that the session has in memory, one line each, by class and id.
    ///
    /// ```text
    /// Session: 2 objects, 1 changed
    /// Company #3 unchanged
    /// Person #7 changed: age
    /// ```
    public var debugDescription: String { debugDescription(.short) }

    /// Returns the objects that the session has in memory, by class and id.
    ///
    /// New and deleted objects belong to no session. Nothing is loaded. The long style contains values, so do not write
    /// it to logs that other people read.
    ///
    /// ```swift
    /// print(session.debugDescription(.long))
    /// ```
    public func debugDescription(_ style: DebugStyle) -> String {
        // A description cannot throw.
        do { return try enter { SessionDescription(classes).text(style) } } catch { return "Session: \(error)" }
    }
}

/// The objects in a session's memory, as a string.
private struct SessionDescription {
    private let classes: UsedClasses

    init(_ classes: UsedClasses) { self.classes = classes }

    func text(_ style: Session.DebugStyle) -> String {
        var lines: [String] = []
        var (count, changedCount) = (0, 0)
        for identity in classes.allIdentities {
            let map = identity.classMap
            for object in identity.liveObjects() {
                guard let block = object.baseline else { continue }
                let start = ObjectMemory.start(of: object)
                let changed = map.changesToSave(start, block)
                count += 1
                if !changed.isEmpty { changedCount += 1 }
                let key = object.objectKey.map { " \($0.text.debugDescription)" } ?? ""
                let names = map.inDeclaredOrder.filter { changed.contains($0) }.map { map.properties[$0].name }
                let state = names.isEmpty ? "unchanged" : "changed: \(names.joined(separator: ", "))"
                lines.append("\(map.name) #\(object.rowID)\(key) \(state)")
                guard style == .long else { continue }
                for ordinal in map.inDeclaredOrder where !map.properties[ordinal].isKey {
                    let now = ObjectState(object).text(of: map.properties[ordinal])
                    let then = changed.contains(ordinal) ? "\(baselineText(ordinal, map, block)) -> " : ""
                    lines.append("    \(map.properties[ordinal].name): \(then)\(now)")
                }
            }
        }
        let head = "Session: \(count) object\(count == 1 ? "" : "s"), \(changedCount) changed"
        return ([head] + lines).joined(separator: "\n")
    }

    /// The database's value, in the same form as `ObjectState` describes values in memory.
    private func baselineText(_ ordinal: Int, _ map: ClassMap, _ block: Address) -> String {
        let property = map.properties[ordinal]
        guard let target = property.linkedClass, property.isLink else {
            return switch map.baseline.baselineValue(ordinal, in: block) {
            case nil: "nil"
            case let text as any StringProtocol: VisibleText.quoted(String(text))
            case let value?: "\(value)"
            }
        }
        let image = map.baseline.image(ordinal, in: block)
        let names = image.ids.filter { $0 != LinkImage.none }.map { "\(target) #\($0)" }
        if property.codec is ReferenceCodec { return names.first ?? "nil" }
        if image.isNil { return "nil" }
        let more = names.count > 10 ? [" and \(names.count - 10) more"] : []
        return "[\((names.prefix(10) + more).joined(separator: ", "))]"
    }
}
