extension ObjectState {
    func delete(forever: Bool = false) throws {
        let session = try session()
        try session.enter { try session.deleteAll([object], forever: forever) }
    }

    func restore() throws {
        let session = try session()
        try session.enter { try session.restoreAll([object]) }
    }
}
