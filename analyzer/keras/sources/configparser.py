# Python's configparser (Lib/configparser.py), as far as programs read settings by it.

TRUTH = {"1": True, "yes": True, "true": True, "on": True, "0": False, "no": False, "false": False, "off": False}


class NoSectionError(Exception):
    pass


class NoOptionError(Exception):
    pass


class Missing:
    pass


MISSING = Missing()


class ConfigParser:
    def __init__(self, defaults=None, **kwargs):
        self.found = {"DEFAULT": {}}
        self.interpolates = kwargs.get("interpolation", MISSING) is not None
        for option in defaults or {}:
            self.found["DEFAULT"][self.optionxform(option)] = str(defaults[option])

    def optionxform(self, option):
        return option.lower()

    def read(self, filenames, encoding=None):
        names = filenames if isinstance(filenames, (list, tuple)) else [filenames]
        for name in names:
            self.read_string(open(name).read())
        return names

    def read_file(self, f, source=None):
        self.read_string(f.read())

    def readfp(self, f, filename=None):
        self.read_string(f.read())

    def read_string(self, string, source=None):
        options, last = None, None
        for line in string.split("\n"):
            text = line.strip()
            if not text or text[0] in "#;":
                continue
            if line[0] in " \t" and last is not None:
                options[last] = options[last] + "\n" + text
            elif text[0] == "[":
                last, name = None, text[1:text.rindex("]")]
                if name not in self.found:
                    self.found[name] = {}
                options = self.found[name]
            else:
                at = min([i for i in (text.find("="), text.find(":")) if i >= 0])
                last = self.optionxform(text[:at].strip())
                options[last] = text[at + 1:].strip()

    def read_dict(self, dictionary, source=None):
        for section in dictionary:
            for option in dictionary[section]:
                self.set(section, option, str(dictionary[section][option]))

    def add_section(self, section):
        self.found[section] = {}

    def set(self, section, option, value=None):
        if section not in self.found:
            self.found[section] = {}
        self.found[section][self.optionxform(option)] = value

    def sections(self):
        return [name for name in self.found if name != "DEFAULT"]

    def has_section(self, section):
        return section in self.found and section != "DEFAULT"

    def defaults(self):
        return self.found["DEFAULT"]

    def merged(self, section):
        if section not in self.found:
            raise NoSectionError(section)
        return {**self.found["DEFAULT"], **self.found[section]}

    def options(self, section):
        return list(self.merged(section))

    def has_option(self, section, option):
        return section in self.found and self.optionxform(option) in self.merged(section)

    def get(self, section, option, raw=False, vars=None, fallback=MISSING):
        if fallback is not MISSING and not self.has_option(section, option):
            return fallback
        known = self.merged(section)
        if self.optionxform(option) not in known:
            raise NoOptionError(option)
        text = known[self.optionxform(option)]
        if self.interpolates and not raw:
            for _ in range(10):
                if "%(" in text:
                    for name in known:
                        text = text.replace("%(" + name + ")s", known[name])
            text = text.replace("%%", "%")
        return text

    def getint(self, section, option, raw=False, vars=None, fallback=MISSING):
        text = self.get(section, option, raw, vars, fallback)
        return text if text is fallback else int(text)

    def getfloat(self, section, option, raw=False, vars=None, fallback=MISSING):
        text = self.get(section, option, raw, vars, fallback)
        return text if text is fallback else float(text)

    def getboolean(self, section, option, raw=False, vars=None, fallback=MISSING):
        text = self.get(section, option, raw, vars, fallback)
        return text if text is fallback else TRUTH[text.lower()]

    def items(self, section=None, raw=False, vars=None):
        if section is None:
            return [(name, Section(self, name)) for name in self.found]
        return [(option, self.get(section, option, raw)) for option in self.merged(section)]

    def __getitem__(self, section):
        if section not in self.found:
            raise KeyError(section)
        return Section(self, section)

    def __setitem__(self, section, options):
        self.found[section] = {}
        for option in options:
            self.set(section, option, str(options[option]))

    def __contains__(self, section):
        return section in self.found

    def __iter__(self):
        return iter(list(self.found))

    def keys(self):
        return list(self.found)


class Section:
    def __init__(self, parser, name):
        self.parser, self.name = parser, name

    def __getitem__(self, option):
        if not self.parser.has_option(self.name, option):
            raise KeyError(option)
        return self.parser.get(self.name, option)

    def __setitem__(self, option, text):
        self.parser.set(self.name, option, text)

    def __contains__(self, option):
        return self.parser.has_option(self.name, option)

    def __iter__(self):
        return iter(self.parser.options(self.name))

    def __len__(self):
        return len(self.parser.options(self.name))

    def get(self, option, fallback=None, raw=False):
        return self.parser.get(self.name, option, raw, None, fallback)

    def getint(self, option, fallback=None):
        return self.parser.getint(self.name, option, False, None, fallback)

    def getfloat(self, option, fallback=None):
        return self.parser.getfloat(self.name, option, False, None, fallback)

    def getboolean(self, option, fallback=None):
        return self.parser.getboolean(self.name, option, False, None, fallback)

    def keys(self):
        return self.parser.options(self.name)

    def items(self):
        return self.parser.items(self.name)

    def values(self):
        return [text for _, text in self.items()]


class RawConfigParser(ConfigParser):
    def __init__(self, defaults=None, **kwargs):
        super().__init__(defaults, interpolation=None)


SafeConfigParser = ConfigParser
