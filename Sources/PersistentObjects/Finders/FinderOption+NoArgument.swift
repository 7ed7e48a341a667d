extension FinderOption: NoArgument {
    var advice: String { "It is an option of dynamic finders. Write LIMIT, ORDER BY and so on in the SQL instead" }
}
