extension ObjectState {
    /// The changes of the transaction in `did…` methods, otherwise the changes of the last save.
    var previousChanges: [PropertyChange] {
        guard let session = object.identityMap?.session else { return [] }
        if let changes = session.news.changes(of: object) { return changes }
        guard ObjectMemory.start(of: object).header.isRemembered, object.lifecycle == .saved,
            let block = object.baseline
        else { return [] }
        return session.writing.lastSave?.changes(of: object, in: block) ?? []
    }
}
