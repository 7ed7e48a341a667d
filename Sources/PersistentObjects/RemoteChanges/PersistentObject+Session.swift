extension PersistentObject {
    /// The session that has the object; nil if it was never saved, or if the session has ended.
    package var savingSession: Session? { lifecycle == .saved ? identityMap?.session : nil }
}
