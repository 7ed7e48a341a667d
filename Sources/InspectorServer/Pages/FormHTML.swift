internal import PersistentInspector

/// The HTML of forms.
enum FormHTML {
    /// - Parameter token: The hidden field of forms that change the file.
    static func html(of form: PageForm, token: String?) -> HTML {
        let isEditor = form.style == .editor
        let button: HTML =
            form.isDangerous ? "<button class=\"danger\">\(form.button)</button>" : "<button>\(form.button)</button>"
        let rows = form.rows.enumerated().map { index, row -> HTML in
            let fields = row.map { html(of: $0, isLabelled: isEditor) }
            let isHidden = row.allSatisfy { $0.kind == .hidden }
            let end: HTML = form.style == .rows && index == form.rows.count - 1 ? button : ""
            return form.style == .box || isHidden ? "\(fields)" : "<div class=\"row\">\(fields)\(end)</div>"
        }
        let secret: HTML = form.isPost ? "<input type=\"hidden\" name=\"form\" value=\"\(token ?? "")\">" : ""
        let method: HTML = form.isPost ? "post" : "get"
        let end: HTML = form.style == .rows ? "" : button
        return """
            <form action="\(form.path)" method="\(method)" class="\(form.style.rawValue)">\(secret)\(rows)\(end)</form>
            """
    }

    private static func html(of field: PageForm.Field, isLabelled: Bool) -> HTML {
        let name = field.name
        let control: HTML
        switch field.kind {
        case .hidden: return "<input type=\"hidden\" name=\"\(name)\" value=\"\(field.value)\">"
        case .line(let hint):
            control = """
                <input type="text" name="\(name)" value="\(field.value)" placeholder="\(hint)" \
                aria-label="\(field.label)" autocomplete="off" spellcheck="false">
                """
        case .area:
            // The line break after the tag is not part of the value.
            control = """
                <textarea name="\(name)" rows="4" aria-label="\(field.label)" spellcheck="false">
                \(field.value)</textarea>
                """
        case .choice(let options):
            let list = options.map { option -> HTML in
                option.value == field.value
                    ? "<option value=\"\(option.value)\" selected>\(option.label)</option>"
                    : "<option value=\"\(option.value)\">\(option.label)</option>"
            }
            control = "<select name=\"\(name)\" aria-label=\"\(field.label)\">\(list)</select>"
        case .check(let text):
            let checked: HTML = field.value == "1" ? " checked" : ""
            return
                "<label class=\"check\"><input type=\"checkbox\" name=\"\(name)\" value=\"1\"\(checked)> \(text)</label>"
        }
        return isLabelled ? "<label><span>\(field.label)</span>\(control)</label>" : control
    }
}
