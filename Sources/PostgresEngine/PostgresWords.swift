internal import StoreEngine

/// The functions in a schema that separate strings into words, and search for them.
///
/// | function | result |
/// |---|---|
/// | `po_search_words(text)` | the words of a string in order, without case and accents |
/// | `po_search_vector(text, …)` | the words of several strings with their places |
/// | `po_search_query(text)` | a search in SQLite's syntax as a `tsquery` |
/// | `po_search_snippet(…)` | the part of a string with most of a search's words, which are marked |
/// | `po_search_rebuild(text)` | none; the procedure fills the search index of a table |
///
/// Words are those of SQLite's tokenizer `unicode61` with `remove_diacritics 2`: runs of letters, numbers and private-use
/// characters, in lowercase. Of accents it ignores those of Latin letters, and combining marks after any letter. The
/// parser of PostgreSQL would keep `joe@x.org` as one word.
enum PostgresWords {
    static let functions = [
        PostgresChanges.function("po_search_words(content text)", "text[]", "\(pure) STRICT", words),
        PostgresChanges.function("po_search_vector(VARIADIC contents text[])", "tsvector", pure, vector),
        PostgresChanges.function("po_search_query(search text)", "tsquery", "\(pure) STRICT", query),
        PostgresChanges.function(
            "po_search_snippet(content text, search text, opening text, closing text, size int)", "text",
            "\(pure) STRICT", snippet),
        "CREATE OR REPLACE PROCEDURE po_search_rebuild(searched text) LANGUAGE plpgsql AS $po$\(rebuild)$po$",
    ]

    private static let pure = "IMMUTABLE PARALLEL SAFE"

    // MARK: Characters

    /// Letters, numbers and private-use characters, for a bracket expression with the collation `und-x-icu`. Its class
    /// `alnum` has letters and decimal digits.
    private static let members = #"""
        [:alnum:]\u00B2-\u00B3\u00B9\u00BC-\u00BE\u09F4-\u09F9\u0B72-\u0B77\u0BF0-\u0BF2\u0C78-\u0C7E\u0D58-\u0D5E\
        \u0D70-\u0D78\u0F2A-\u0F33\u1369-\u137C\u16EE-\u16F0\u17F0-\u17F9\u19DA\u2070\u2074-\u2079\u2080-\u2089\u2150-\u2182\
        \u2185-\u2189\u2460-\u249B\u24EA-\u24FF\u2776-\u2793\u2CFD\u3007\u3021-\u3029\u3038-\u303A\u3192-\u3195\u3220-\u3229\
        \u3248-\u324F\u3251-\u325F\u3280-\u3289\u32B1-\u32BF\uA6E6-\uA6EF\uA830-\uA835\uE000-\uF8FF\U00010107-\U00010133\
        \U00010140-\U00010178\U0001018A-\U0001018B\U000102E1-\U000102FB\U00010320-\U00010323\U00010341\U0001034A\
        \U000103D1-\U000103D5\U00010858-\U0001085F\U00010879-\U0001087F\U000108A7-\U000108AF\U000108FB-\U000108FF\
        \U00010916-\U0001091B\U000109BC-\U000109BD\U000109C0-\U000109CF\U000109D2-\U000109FF\U00010A40-\U00010A48\
        \U00010A7D-\U00010A7E\U00010A9D-\U00010A9F\U00010AEB-\U00010AEF\U00010B58-\U00010B5F\U00010B78-\U00010B7F\
        \U00010BA9-\U00010BAF\U00010CFA-\U00010CFF\U00010E60-\U00010E7E\U00010F1D-\U00010F26\U00010F51-\U00010F54\
        \U00010FC5-\U00010FCB\U00011052-\U00011065\U000111E1-\U000111F4\U0001173A-\U0001173B\U000118EA-\U000118F2\
        \U00011C5A-\U00011C6C\U00011FC0-\U00011FD4\U00012400-\U0001246E\U00016B5B-\U00016B61\U00016E80-\U00016E96\
        \U0001D2E0-\U0001D2F3\U0001D360-\U0001D378\U0001E8C7-\U0001E8CF\U0001EC71-\U0001ECAB\U0001ECAD-\U0001ECAF\
        \U0001ECB1-\U0001ECB4\U0001ED01-\U0001ED2D\U0001ED2F-\U0001ED3D\U0001F100-\U0001F10C\U000F0000-\U000FFFFD\
        \U00100000-\U0010FFFD
        """#.replacing("\\\n", with: "")

    /// The combining marks that do not separate words, for a bracket expression.
    private static let marks =
        #"\u0300-\u0304\u0306-\u030C\u030F\u0311\u031B\u0323-\u0328\u032D-\u032E\u0330-\u0331"#

    /// Lowercase letters with other letters that count as the same.
    private static let variants = ["ςσ", "µμ", "ſs", "ϐβ", "ϑθ", "ϕφ", "ϖπ", "ϰκ", "ϱρ", "ϵε", "ẛs", "\u{1FBE}ι"]

    /// The accented forms of Latin letters.
    private static let accented: [(letter: Character, forms: String)] = [
        ("a", "àáâãäåāăąǎǟǻȁȃȧḁạảấầẩẫậắằẳẵặ"), ("b", "ḃḅḇ"), ("c", "çćĉċčḉ"), ("d", "ďḋḍḏḑḓ"),
        ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"), ("f", "ḟ"), ("g", "ĝğġģǧǵḡ"), ("h", "ĥȟḣḥḧḩḫẖ"), ("i", "ìíîïĩīĭįǐȉȋḭḯỉị"),
        ("j", "ĵǰ"), ("k", "ķǩḱḳḵ"), ("l", "ĺļľḷḹḻḽ"), ("m", "ḿṁṃ"), ("n", "ñńņňǹṅṇṉṋ"),
        ("o", "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"), ("p", "ṕṗ"), ("r", "ŕŗřȑȓṙṛṝṟ"), ("s", "śŝşšșṡṣṥṧṩ"),
        ("t", "ţťțṫṭṯṱẗ"), ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"), ("v", "ṽṿ"), ("w", "ŵẁẃẅẇẉẘ"), ("x", "ẋẍ"),
        ("y", "ýÿŷȳẏẙỳỵỷỹ"), ("z", "źżžẑẓẕ"),
    ]

    /// The arguments of `translate`, in the encoding of the source file.
    private static let variantsTranslated = translation(variants.map { (String($0.prefix(1)), $0.suffix(1)) })
    private static let accentsTranslated = translation(accented.map { ($0.forms, Substring(String($0.letter))) })

    private static func translation(_ pairs: [(forms: String, letter: Substring)]) -> String {
        let forms = pairs.map(\.forms).joined()
        let letters = pairs.map { String(repeating: String($0.letter), count: $0.forms.unicodeScalars.count) }.joined()
        return "'\(forms)', '\(letters)'"
    }

    // MARK: Words

    /// The last step is for single words, because `translate` takes time for each of its letters.
    private static let words = """
        DECLARE
            folded text;
        BEGIN
            IF octet_length(content) = length(content) THEN
                RETURN array_remove(regexp_split_to_array(lower(content COLLATE "C"), '[^a-z0-9]+'), '');
            END IF;
            folded := lower(replace(content, 'Σ', 'σ') COLLATE "und-x-icu");
            folded := translate(regexp_replace(folded, '[\(marks)]+', '', 'g'), \(variantsTranslated));
            RETURN (
                SELECT coalesce(array_agg(CASE WHEN w ~ '[à-ɏḁ-ỹ]' THEN translate(w, \(accentsTranslated)) ELSE w END ORDER BY n), '{}')
                FROM regexp_split_to_table(folded COLLATE "und-x-icu", '[^\(members)]+') WITH ORDINALITY AS u(w, n) WHERE w <> ''
            );
        END
        """

    /// A `tsvector` has at most 1 MB, 2,046 bytes for a word, 255 places for a word, and places up to 16,383. Words count
    /// with their first 400 characters. A string with more than 1 MB of different words is indexed in part.
    private static let vector = """
        DECLARE
            words text[] := '{}'; content text;
        BEGIN
            FOREACH content IN ARRAY contents LOOP
                -- The empty word keeps phrases from spanning two properties.
                IF content IS NOT NULL THEN words := words || @.po_search_words(content) || ''::text; END IF;
            END LOOP;
            RETURN (
                SELECT coalesce(string_agg('''' || word || ''':' || array_to_string(places, ','), ' '), '')::tsvector FROM (
                    SELECT word, places, sum(octet_length(word) + 5 + 2 * cardinality(places)) OVER (ORDER BY places[1], word) AS size
                    FROM (
                        SELECT left(w, 400) AS word, (array_agg(least(n, 16383) ORDER BY n))[:255] AS places
                        FROM unnest(words) WITH ORDINALITY AS u(w, n) WHERE w <> '' GROUP BY 1
                    ) AS found
                ) AS sized WHERE size <= 1000000
            );
        END
        """

    // MARK: Searches

    /// The parts of a search in SQLite's syntax, which `SearchText` writes.
    private static let parts = #"regexp_matches(search, '("[^"]*"\*?|[()]|AND|OR|NOT)', 'g')"#

    /// A phrase counts with its first 255 words. No string contains the word `*`.
    private static let query = #"""
        DECLARE
            part text; words text[]; result text := '';
        BEGIN
            FOR part IN SELECT m[1] FROM #parts AS m LOOP
                IF left(part, 1) <> '"' THEN
                    result := result || CASE part WHEN 'AND' THEN '&' WHEN 'OR' THEN '|' WHEN 'NOT' THEN '&!' ELSE part END;
                    CONTINUE;
                END IF;
                words := (@.po_search_words(part))[:255];
                IF cardinality(words) = 0 THEN words := ARRAY['*']; END IF;
                result := result || '('
                    || (SELECT string_agg('''' || left(w, 400) || '''', ' <-> ' ORDER BY n) FROM unnest(words) WITH ORDINALITY AS u(w, n))
                    || CASE WHEN right(part, 1) = '*' THEN ':*)' ELSE ')' END;
            END LOOP;
            RETURN result::tsquery;
        END
        """#.replacing("#parts", with: parts)

    // MARK: The index

    /// The index is created after the rows, which takes less time, and without a list of pending rows, which
    /// serializable transactions would lock as a whole.
    private static let rebuild = #"""
        DECLARE
            place text := searched || '_search';
        BEGIN
            EXECUTE format('DROP INDEX IF EXISTS %I', place || '.words');
            EXECUTE format('DELETE FROM %I', place);
            EXECUTE format('INSERT INTO %I (id, words) SELECT id, po_search_vector(%s) FROM %I', place,
                obj_description(format('%I', place)::regclass, 'pg_class'), searched);
            EXECUTE format('CREATE INDEX %I ON %I USING gin (words) WITH (fastupdate = off)', place || '.words', place);
        END
        """#

    // MARK: Snippets

    /// The words of the string and the gaps before them are compared with the words of the search. The part begins at the
    /// start or some words before a hit, and has the most different terms of the search, then the most hits.
    private static let snippet = #"""
        DECLARE
            gaps text[]; tokens text[]; keys text[]; words text[]; part text; term int := 0; place int; total int; excluded boolean := false;
            starts int[] := '{}'; stops int[] := '{}'; terms int[] := '{}'; head int := 1; marked int := 0; result text := '';
        BEGIN
            SELECT array_agg(m[1] ORDER BY n), array_agg(m[2] ORDER BY n) INTO gaps, tokens
                FROM regexp_matches(content COLLATE "und-x-icu", '([^#members]*)([#members][#members#marks]*)', 'g') WITH ORDINALITY AS u(m, n);
            keys := @.po_search_words(content);
            total := coalesce(cardinality(tokens), 0);
            IF total = 0 OR total <> cardinality(keys) THEN RETURN content; END IF;
            FOR part IN SELECT m[1] FROM #parts AS m LOOP
                IF part = 'NOT' THEN excluded := true;
                ELSIF part = ')' THEN excluded := false;
                END IF;
                IF left(part, 1) <> '"' OR excluded THEN CONTINUE; END IF;
                words := (@.po_search_words(part))[:255];
                term := term + 1;
                FOR place IN
                    SELECT n FROM unnest(keys) WITH ORDINALITY AS u(key, n)
                    WHERE CASE WHEN cardinality(words) = 1 AND right(part, 1) = '*' THEN starts_with(key, words[1]) ELSE key = words[1] END
                    ORDER BY n LIMIT 100
                LOOP
                    CONTINUE WHEN cardinality(words) > 1 AND (
                        keys[place:place + cardinality(words) - 2] = words[:cardinality(words) - 1]
                        AND CASE WHEN right(part, 1) = '*' THEN starts_with(keys[place + cardinality(words) - 1], words[cardinality(words)])
                            ELSE keys[place + cardinality(words) - 1] = words[cardinality(words)] END) IS NOT TRUE;
                    starts := starts || place;
                    stops := stops || place + cardinality(words) - 1;
                    terms := terms || term;
                END LOOP;
            END LOOP;
            SELECT c.head INTO head FROM (
                SELECT 1 AS head, 120 AS bonus
                UNION
                SELECT greatest(1, least(s - (size - (SELECT max(e) - s + 1 FROM unnest(stops) AS e WHERE e >= s AND e < s + size)) / 2, total - size + 1)), 0
                FROM unnest(starts[:200]) AS s
            ) AS c ORDER BY c.bonus + (
                SELECT count(*) + 999 * count(DISTINCT t) FROM unnest(starts, stops, terms) AS h(s, e, t) WHERE s >= c.head AND e < c.head + size
            ) DESC, c.head LIMIT 1;
            IF head > 1 THEN result := '…'; END IF;
            FOR place IN head..least(head + size - 1, total) LOOP
                IF place > head OR head = 1 THEN result := result || gaps[place]; END IF;
                IF place = ANY (starts) THEN
                    IF marked < place THEN result := result || opening; END IF;
                    marked := greatest(marked, (SELECT max(e) FROM unnest(starts, stops) AS h(s, e) WHERE s = place));
                END IF;
                result := result || tokens[place];
                IF marked = place OR marked > place AND place = least(head + size - 1, total) THEN result := result || closing; END IF;
            END LOOP;
            IF head + size - 1 < total THEN RETURN result || '…'; END IF;
            RETURN result || substr(content, 1 + length(array_to_string(gaps, '') || array_to_string(tokens, '')));
        END
        """#.replacing("#parts", with: parts).replacing("#members", with: members).replacing("#marks", with: marks)
}
