/// When the statements of a transaction are sent to the database.
package enum Pace {
    /// Each statement is sent when it runs.
    case stepwise
    /// As `stepwise`, but the start may be sent together with the first statement.
    ///
    /// The first statement then reports a concurrent writer.
    case beginningLater
    /// Sent statements may be batched until a result is awaited, or until the end.
    ///
    /// A failure then fails the whole batch, and the error has a `repetition`: the caller rolls back and repeats
    /// everything at once, without involving the user. Rows that other sessions have changed since `dataVersion` was
    /// last read are such a failure.
    case together
}
