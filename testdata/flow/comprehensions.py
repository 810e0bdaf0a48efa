# The first iterable once, before the loop; then clauses, conditions, element.
from os import putenv as mark

[mark("ELEMENT", "") for i in mark("FIRST", "") if mark("CONDITION", "") for j in mark("SECOND", "")]
{mark("KEY", ""): mark("VALUE", "") for i in range(3)}
list(mark("GENERATED", "") for i in range(3))
