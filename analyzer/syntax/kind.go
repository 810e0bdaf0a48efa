package syntax

// A Kind is the type of a node. The names are those of tree-sitter's Python grammar, in
// Go's spelling.
type Kind uint8

const (
	// None is the kind of the zero Node.
	None Kind = iota
	// Error is a stretch that does not parse. Its children are what could be parsed inside it.
	Error
	// Other is any kind without a constant here; its children are there.
	Other

	Comment
	Block
	ExpressionStatement
	ImportStatement
	ImportFromStatement
	FutureImportStatement
	AliasedImport
	WildcardImport
	DottedName
	RelativeImport
	Assignment
	AugmentedAssignment
	NamedExpression
	ReturnStatement
	DeleteStatement
	RaiseStatement
	AssertStatement
	PassStatement
	BreakStatement
	ContinueStatement
	GlobalStatement
	NonlocalStatement
	PrintStatement
	ExecStatement
	TypeAliasStatement
	IfStatement
	ElifClause
	ElseClause
	ForStatement
	WhileStatement
	TryStatement
	ExceptClause
	FinallyClause
	WithStatement
	WithClause
	WithItem
	MatchStatement
	CaseClause
	FunctionDefinition
	ClassDefinition
	DecoratedDefinition
	Decorator
	Parameters
	DefaultParameter
	TypedParameter
	TypedDefaultParameter
	ListSplat
	DictionarySplat
	ListSplatPattern
	DictionarySplatPattern
	PositionalSeparator
	KeywordSeparator
	ArgumentList
	KeywordArgument
	ExpressionList
	PatternList
	TuplePattern
	ListPattern
	AsPattern
	AsPatternTarget
	CasePattern
	SplatPattern
	DictPattern
	ClassPattern
	KeywordPattern
	UnionPattern
	Identifier
	Attribute
	Subscript
	Slice
	Call
	Lambda
	NotOperator
	BooleanOperator
	BinaryOperator
	UnaryOperator
	ComparisonOperator
	ConditionalExpression
	ParenthesizedExpression
	List
	Tuple
	Set
	Dictionary
	Pair
	ListComprehension
	SetComprehension
	DictionaryComprehension
	GeneratorExpression
	ForInClause
	IfClause
	Yield
	Await
	Integer
	Float
	String
	ConcatenatedString
	Interpolation
	True
	False
	NoneLiteral
	Ellipsis
	Type
	TypeParameter
	Operator // an anonymous token in an operator field

	// These control the lowering and are the kind of no node: a symbol to drop with all below it,
	// one to drop alone, and an anonymous token.
	drop
	through
	token
)

// kindOf maps the grammar's visible named symbols. Missing symbols become Other.
var kindOf = map[string]Kind{
	"ERROR": Error, "module": through,
	"comment": Comment, "block": Block,
	"expression_statement": ExpressionStatement,
	"import_statement":     ImportStatement, "import_from_statement": ImportFromStatement,
	"future_import_statement": FutureImportStatement, "aliased_import": AliasedImport,
	"wildcard_import": WildcardImport, "dotted_name": DottedName, "relative_import": RelativeImport,
	"import_prefix": through,
	"assignment":    Assignment, "augmented_assignment": AugmentedAssignment, "named_expression": NamedExpression,
	"return_statement": ReturnStatement, "delete_statement": DeleteStatement, "raise_statement": RaiseStatement,
	"assert_statement": AssertStatement, "pass_statement": PassStatement, "break_statement": BreakStatement,
	"continue_statement": ContinueStatement, "global_statement": GlobalStatement,
	"nonlocal_statement": NonlocalStatement, "print_statement": PrintStatement, "exec_statement": ExecStatement,
	"type_alias_statement": TypeAliasStatement,
	"if_statement":         IfStatement, "elif_clause": ElifClause, "else_clause": ElseClause,
	"for_statement": ForStatement, "while_statement": WhileStatement,
	"try_statement": TryStatement, "except_clause": ExceptClause, "except_group_clause": ExceptClause,
	"finally_clause": FinallyClause,
	"with_statement": WithStatement, "with_clause": WithClause, "with_item": WithItem,
	"match_statement": MatchStatement, "case_clause": CaseClause,
	"function_definition": FunctionDefinition, "class_definition": ClassDefinition,
	"decorated_definition": DecoratedDefinition, "decorator": Decorator,
	"parameters": Parameters, "lambda_parameters": Parameters,
	"default_parameter": DefaultParameter, "typed_parameter": TypedParameter,
	"typed_default_parameter": TypedDefaultParameter,
	"list_splat":              ListSplat, "parenthesized_list_splat": ListSplat, "dictionary_splat": DictionarySplat,
	"list_splat_pattern": ListSplatPattern, "dictionary_splat_pattern": DictionarySplatPattern,
	"positional_separator": PositionalSeparator, "keyword_separator": KeywordSeparator,
	"argument_list": ArgumentList, "keyword_argument": KeywordArgument,
	"expression_list": ExpressionList, "pattern_list": PatternList, "tuple_pattern": TuplePattern,
	"list_pattern": ListPattern, "as_pattern": AsPattern, "as_pattern_target": AsPatternTarget,
	"case_pattern": CasePattern, "splat_pattern": SplatPattern, "dict_pattern": DictPattern,
	"class_pattern": ClassPattern, "keyword_pattern": KeywordPattern, "union_pattern": UnionPattern,
	"identifier": Identifier, "attribute": Attribute, "subscript": Subscript, "slice": Slice, "call": Call,
	"lambda": Lambda, "not_operator": NotOperator, "boolean_operator": BooleanOperator,
	"binary_operator": BinaryOperator, "unary_operator": UnaryOperator,
	"comparison_operator": ComparisonOperator, "conditional_expression": ConditionalExpression,
	"parenthesized_expression": ParenthesizedExpression,
	"list":                     List, "tuple": Tuple, "set": Set, "dictionary": Dictionary, "pair": Pair,
	"list_comprehension": ListComprehension, "set_comprehension": SetComprehension,
	"dictionary_comprehension": DictionaryComprehension, "generator_expression": GeneratorExpression,
	"for_in_clause": ForInClause, "if_clause": IfClause, "yield": Yield, "await": Await,
	"integer": Integer, "float": Float, "string": String, "concatenated_string": ConcatenatedString,
	"interpolation": Interpolation, "true": True, "false": False, "none": NoneLiteral, "ellipsis": Ellipsis,
	"type": Type, "type_parameter": TypeParameter,
	"string_start": drop, "string_end": drop, "escape_sequence": drop, "escape_interpolation": drop,
	"string_content": drop, "line_continuation": drop, "type_conversion": drop,
	"format_specifier": through, "format_expression": Interpolation,
}

// A Field is the role of a node in its parent.
type Field uint8

const (
	NoField Field = iota
	FieldAlias
	FieldAlternative
	FieldArgument
	FieldArguments
	FieldAttribute
	FieldBody
	FieldCause
	FieldCode
	FieldCondition
	FieldConsequence
	FieldDefinition
	FieldExpression
	FieldFunction
	FieldGuard
	FieldKey
	FieldLeft
	FieldModuleName
	FieldName
	FieldObject
	FieldOperator
	FieldParameters
	FieldReturnType
	FieldRight
	FieldSubject
	FieldSubscript
	FieldSuperclasses
	FieldType
	FieldTypeParameters
	FieldValue
)

var fieldOf = map[string]Field{
	"alias": FieldAlias, "alternative": FieldAlternative, "argument": FieldArgument,
	"arguments": FieldArguments, "attribute": FieldAttribute, "body": FieldBody, "cause": FieldCause,
	"code": FieldCode, "condition": FieldCondition, "consequence": FieldConsequence,
	"definition": FieldDefinition, "expression": FieldExpression, "function": FieldFunction,
	"guard": FieldGuard, "key": FieldKey, "left": FieldLeft, "module_name": FieldModuleName,
	"name": FieldName, "object": FieldObject, "operator": FieldOperator, "operators": FieldOperator,
	"parameters": FieldParameters, "return_type": FieldReturnType, "right": FieldRight,
	"subject": FieldSubject, "subscript": FieldSubscript, "superclasses": FieldSuperclasses,
	"type": FieldType, "type_parameters": FieldTypeParameters, "value": FieldValue,
}
