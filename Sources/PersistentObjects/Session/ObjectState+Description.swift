// The description of an object: its values, and only the names of the objects that it refers to, because they may refer
// back.
extension ObjectState {
    var description: String {
        let map = try? ClassMap.map(of: type(of: object))
        let properties = (map?.declaredProperties ?? []).map { "\($0.name): \(text(of: $0))" }
        let list = properties.isEmpty ? "{}" : "{ \(properties.joined(separator: ", ")) }"
        return "\(ObjectState.name(of: object)) \(list)"
    }

    private static func name(of object: PersistentObject) -> String {
        let state =
            switch object.lifecycle {
            case .new: "(new)"
            case .saved: "#\(object.rowID)"
            case .deleted: "#\(object.rowID) (deleted)"
            case .untracked: "#\(object.rowID) (untracked)"
            }
        return "\(type(of: object)) \(state)"
    }

    /// The value of a property, without loading it.
    func text(of property: Property) -> String {
        let start = ObjectMemory.start(of: object)
        guard property.isLoaded(in: start) else { return "(not loaded)" }
        guard property.sealing == nil else { return PropertyChange.hidden }
        let field = property.address(in: start)
        if let links = property.codec as? any LinkCodec {
            var names: [String] = []
            var count = 0
            links.forEachTarget(field) { target in
                count += 1
                if names.count < 10 { names.append(ObjectState.name(of: target)) }
            }
            if property.codec is ReferenceCodec { return names.first ?? "nil" }
            let more = count > names.count ? [" and \(count - names.count) more"] : []
            return "[\((names + more).joined(separator: ", "))]"
        }
        return switch property.codec.value(field) {
        case nil: "nil"
        case let text as any StringProtocol: VisibleText.quoted(String(text))
        case let value?: "\(value)"
        }
    }
}
