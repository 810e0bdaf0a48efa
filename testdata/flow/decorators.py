# Decorators and defaults run where the function is defined.
from os import putenv as mark


@decorate(mark("DECORATOR", ""))
def f(x=mark("DEFAULT", ""), *, y: int = mark("KEYWORD", "")):
    mark("BODY", "")


@decorate(mark("CLASS_DECORATOR", ""))
class C(make_base(mark("BASE", "")), metaclass=mark("META", "")):
    mark("CLASS_BODY", "")


mark("AFTER", "")
