import PersistentObjects

// SQLite's keywords (sqlite3_keyword_name of 3.40) as names of properties and of classes.

/// All keywords.
let sqlKeywords = [
    "ABORT", "ACTION", "ADD", "AFTER", "ALL", "ALTER", "ALWAYS", "ANALYZE", "AND", "AS", "ASC", "ATTACH",
    "AUTOINCREMENT", "BEFORE", "BEGIN", "BETWEEN", "BY", "CASCADE", "CASE", "CAST", "CHECK", "COLLATE", "COLUMN",
    "COMMIT", "CONFLICT", "CONSTRAINT", "CREATE", "CROSS", "CURRENT", "CURRENT_DATE", "CURRENT_TIME",
    "CURRENT_TIMESTAMP", "DATABASE", "DEFAULT", "DEFERRABLE", "DEFERRED", "DELETE", "DESC", "DETACH", "DISTINCT",
    "DO", "DROP", "EACH", "ELSE", "END", "ESCAPE", "EXCEPT", "EXCLUDE", "EXCLUSIVE", "EXISTS", "EXPLAIN", "FAIL",
    "FILTER", "FIRST", "FOLLOWING", "FOR", "FOREIGN", "FROM", "FULL", "GENERATED", "GLOB", "GROUP", "GROUPS",
    "HAVING", "IF", "IGNORE", "IMMEDIATE", "IN", "INDEX", "INDEXED", "INITIALLY", "INNER", "INSERT", "INSTEAD",
    "INTERSECT", "INTO", "IS", "ISNULL", "JOIN", "KEY", "LAST", "LEFT", "LIKE", "LIMIT", "MATCH", "MATERIALIZED",
    "NATURAL", "NO", "NOT", "NOTHING", "NOTNULL", "NULL", "NULLS", "OF", "OFFSET", "ON", "OR", "ORDER", "OTHERS",
    "OUTER", "OVER", "PARTITION", "PLAN", "PRAGMA", "PRECEDING", "PRIMARY", "QUERY", "RAISE", "RANGE", "RECURSIVE",
    "REFERENCES", "REGEXP", "REINDEX", "RELEASE", "RENAME", "REPLACE", "RESTRICT", "RETURNING", "RIGHT", "ROLLBACK",
    "ROW", "ROWS", "SAVEPOINT", "SELECT", "SET", "TABLE", "TEMP", "TEMPORARY", "THEN", "TIES", "TO", "TRANSACTION",
    "TRIGGER", "UNBOUNDED", "UNION", "UNIQUE", "UPDATE", "USING", "VACUUM", "VALUES", "VIEW", "VIRTUAL", "WHEN",
    "WHERE", "WINDOW", "WITH", "WITHOUT",
]

/// One property for each keyword.
final class KeywordProperties: PersistentObject {
    var `abort` = "", `action` = "", `add` = "", `after` = "", `all` = "", `alter` = "", `always` = ""
    var `analyze` = "", `and` = "", `as` = "", `asc` = "", `attach` = "", `autoincrement` = "", `before` = ""
    var `begin` = "", `between` = "", `by` = "", `cascade` = "", `case` = "", `cast` = "", `check` = ""
    var `collate` = "", `column` = "", `commit` = "", `conflict` = "", `constraint` = "", `create` = ""
    var `cross` = "", `current` = "", `currentDate` = "", `currentTime` = "", `currentTimestamp` = ""
    var `database` = "", `default` = "", `deferrable` = "", `deferred` = "", `delete` = "", `desc` = ""
    var `detach` = "", `distinct` = "", `do` = "", `drop` = "", `each` = "", `else` = "", `end` = ""
    var `escape` = "", `except` = "", `exclude` = "", `exclusive` = "", `exists` = "", `explain` = "", `fail` = ""
    var `filter` = "", `first` = "", `following` = "", `for` = "", `foreign` = "", `from` = "", `full` = ""
    var `generated` = "", `glob` = "", `group` = "", `groups` = "", `having` = "", `if` = "", `ignore` = ""
    var `immediate` = "", `in` = "", `index` = "", `indexed` = "", `initially` = "", `inner` = "", `insert` = ""
    var `instead` = "", `intersect` = "", `into` = "", `is` = "", `isnull` = "", `join` = "", `key` = ""
    var `last` = "", `left` = "", `like` = "", `limit` = "", `match` = "", `materialized` = "", `natural` = ""
    var `no` = "", `not` = "", `nothing` = "", `notnull` = "", `null` = "", `nulls` = "", `of` = "", `offset` = ""
    var `on` = "", `or` = "", `order` = "", `others` = "", `outer` = "", `over` = "", `partition` = ""
    var `plan` = "", `pragma` = "", `preceding` = "", `primary` = "", `query` = "", `raise` = "", `range` = ""
    var `recursive` = "", `references` = "", `regexp` = "", `reindex` = "", `release` = "", `rename` = ""
    var `replace` = "", `restrict` = "", `returning` = "", `right` = "", `rollback` = "", `row` = "", `rows` = ""
    var `savepoint` = "", `select` = "", `set` = "", `table` = "", `temp` = "", `temporary` = "", `then` = ""
    var `ties` = "", `to` = "", `transaction` = "", `trigger` = "", `unbounded` = "", `union` = "", `unique` = ""
    var `update` = "", `using` = "", `vacuum` = "", `values` = "", `view` = "", `virtual` = "", `when` = ""
    var `where` = "", `window` = "", `with` = "", `without` = ""
}

/// One class for each keyword.
enum KeywordClasses {
    class Word: PersistentObject {
        override class var isAbstract: Bool { true }
        var word = ""
    }

    final class `Abort`: Word {}
    final class `Action`: Word {}
    final class `Add`: Word {}
    final class `After`: Word {}
    final class `All`: Word {}
    final class `Alter`: Word {}
    final class `Always`: Word {}
    final class `Analyze`: Word {}
    final class `And`: Word {}
    final class `As`: Word {}
    final class `Asc`: Word {}
    final class `Attach`: Word {}
    final class `Autoincrement`: Word {}
    final class `Before`: Word {}
    final class `Begin`: Word {}
    final class `Between`: Word {}
    final class `By`: Word {}
    final class `Cascade`: Word {}
    final class `Case`: Word {}
    final class `Cast`: Word {}
    final class `Check`: Word {}
    final class `Collate`: Word {}
    final class `Column`: Word {}
    final class `Commit`: Word {}
    final class `Conflict`: Word {}
    final class `Constraint`: Word {}
    final class `Create`: Word {}
    final class `Cross`: Word {}
    final class `Current`: Word {}
    final class `CurrentDate`: Word {}
    final class `CurrentTime`: Word {}
    final class `CurrentTimestamp`: Word {}
    final class `Database`: Word {}
    final class `Default`: Word {}
    final class `Deferrable`: Word {}
    final class `Deferred`: Word {}
    final class `Delete`: Word {}
    final class `Desc`: Word {}
    final class `Detach`: Word {}
    final class `Distinct`: Word {}
    final class `Do`: Word {}
    final class `Drop`: Word {}
    final class `Each`: Word {}
    final class `Else`: Word {}
    final class `End`: Word {}
    final class `Escape`: Word {}
    final class `Except`: Word {}
    final class `Exclude`: Word {}
    final class `Exclusive`: Word {}
    final class `Exists`: Word {}
    final class `Explain`: Word {}
    final class `Fail`: Word {}
    final class `Filter`: Word {}
    final class `First`: Word {}
    final class `Following`: Word {}
    final class `For`: Word {}
    final class `Foreign`: Word {}
    final class `From`: Word {}
    final class `Full`: Word {}
    final class `Generated`: Word {}
    final class `Glob`: Word {}
    final class `Group`: Word {}
    final class `Groups`: Word {}
    final class `Having`: Word {}
    final class `If`: Word {}
    final class `Ignore`: Word {}
    final class `Immediate`: Word {}
    final class `In`: Word {}
    final class `Index`: Word {}
    final class `Indexed`: Word {}
    final class `Initially`: Word {}
    final class `Inner`: Word {}
    final class `Insert`: Word {}
    final class `Instead`: Word {}
    final class `Intersect`: Word {}
    final class `Into`: Word {}
    final class `Is`: Word {}
    final class `Isnull`: Word {}
    final class `Join`: Word {}
    final class `Key`: Word {}
    final class `Last`: Word {}
    final class `Left`: Word {}
    final class `Like`: Word {}
    final class `Limit`: Word {}
    final class `Match`: Word {}
    final class `Materialized`: Word {}
    final class `Natural`: Word {}
    final class `No`: Word {}
    final class `Not`: Word {}
    final class `Nothing`: Word {}
    final class `Notnull`: Word {}
    final class `Null`: Word {}
    final class `Nulls`: Word {}
    final class `Of`: Word {}
    final class `Offset`: Word {}
    final class `On`: Word {}
    final class `Or`: Word {}
    final class `Order`: Word {}
    final class `Others`: Word {}
    final class `Outer`: Word {}
    final class `Over`: Word {}
    final class `Partition`: Word {}
    final class `Plan`: Word {}
    final class `Pragma`: Word {}
    final class `Preceding`: Word {}
    final class `Primary`: Word {}
    final class `Query`: Word {}
    final class `Raise`: Word {}
    final class `Range`: Word {}
    final class `Recursive`: Word {}
    final class `References`: Word {}
    final class `Regexp`: Word {}
    final class `Reindex`: Word {}
    final class `Release`: Word {}
    final class `Rename`: Word {}
    final class `Replace`: Word {}
    final class `Restrict`: Word {}
    final class `Returning`: Word {}
    final class `Right`: Word {}
    final class `Rollback`: Word {}
    final class `Row`: Word {}
    final class `Rows`: Word {}
    final class `Savepoint`: Word {}
    final class `Select`: Word {}
    final class `Set`: Word {}
    final class `Table`: Word {}
    final class `Temp`: Word {}
    final class `Temporary`: Word {}
    final class `Then`: Word {}
    final class `Ties`: Word {}
    final class `To`: Word {}
    final class `Transaction`: Word {}
    final class `Trigger`: Word {}
    final class `Unbounded`: Word {}
    final class `Union`: Word {}
    final class `Unique`: Word {}
    final class `Update`: Word {}
    final class `Using`: Word {}
    final class `Vacuum`: Word {}
    final class `Values`: Word {}
    final class `View`: Word {}
    final class `Virtual`: Word {}
    final class `When`: Word {}
    final class `Where`: Word {}
    final class `Window`: Word {}
    final class `With`: Word {}
    final class `Without`: Word {}

    static let all: [Word.Type] = [
        `Abort`.self, `Action`.self, `Add`.self, `After`.self, `All`.self, `Alter`.self, `Always`.self,
        `Analyze`.self, `And`.self, `As`.self, `Asc`.self, `Attach`.self, `Autoincrement`.self, `Before`.self,
        `Begin`.self, `Between`.self, `By`.self, `Cascade`.self, `Case`.self, `Cast`.self, `Check`.self,
        `Collate`.self, `Column`.self, `Commit`.self, `Conflict`.self, `Constraint`.self, `Create`.self,
        `Cross`.self, `Current`.self, `CurrentDate`.self, `CurrentTime`.self, `CurrentTimestamp`.self,
        `Database`.self, `Default`.self, `Deferrable`.self, `Deferred`.self, `Delete`.self, `Desc`.self,
        `Detach`.self, `Distinct`.self, `Do`.self, `Drop`.self, `Each`.self, `Else`.self, `End`.self, `Escape`.self,
        `Except`.self, `Exclude`.self, `Exclusive`.self, `Exists`.self, `Explain`.self, `Fail`.self, `Filter`.self,
        `First`.self, `Following`.self, `For`.self, `Foreign`.self, `From`.self, `Full`.self, `Generated`.self,
        `Glob`.self, `Group`.self, `Groups`.self, `Having`.self, `If`.self, `Ignore`.self, `Immediate`.self,
        `In`.self, `Index`.self, `Indexed`.self, `Initially`.self, `Inner`.self, `Insert`.self, `Instead`.self,
        `Intersect`.self, `Into`.self, `Is`.self, `Isnull`.self, `Join`.self, `Key`.self, `Last`.self, `Left`.self,
        `Like`.self, `Limit`.self, `Match`.self, `Materialized`.self, `Natural`.self, `No`.self, `Not`.self,
        `Nothing`.self, `Notnull`.self, `Null`.self, `Nulls`.self, `Of`.self, `Offset`.self, `On`.self, `Or`.self,
        `Order`.self, `Others`.self, `Outer`.self, `Over`.self, `Partition`.self, `Plan`.self, `Pragma`.self,
        `Preceding`.self, `Primary`.self, `Query`.self, `Raise`.self, `Range`.self, `Recursive`.self,
        `References`.self, `Regexp`.self, `Reindex`.self, `Release`.self, `Rename`.self, `Replace`.self,
        `Restrict`.self, `Returning`.self, `Right`.self, `Rollback`.self, `Row`.self, `Rows`.self, `Savepoint`.self,
        `Select`.self, `Set`.self, `Table`.self, `Temp`.self, `Temporary`.self, `Then`.self, `Ties`.self, `To`.self,
        `Transaction`.self, `Trigger`.self, `Unbounded`.self, `Union`.self, `Unique`.self, `Update`.self,
        `Using`.self, `Vacuum`.self, `Values`.self, `View`.self, `Virtual`.self, `When`.self, `Where`.self,
        `Window`.self, `With`.self, `Without`.self,
    ]
}
