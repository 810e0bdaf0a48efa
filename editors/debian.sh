# For test.sh of editors: what Debian has of an editor, unpacked and not installed.

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# has_debian: can packages of Debian be fetched here?
has_debian() {
	[ -f $keyring ] && [ -x "$(command -v apt-get)" ]
}

# unpack_debian SUITE DIR PACKAGE unpacks a package and all that it depends on
# into DIR/root. apt believes that nothing is installed (an empty status file),
# so it fetches the C library and its loader as well.
unpack_debian() {
	local suite=$1 dir=$2 package=$3 mirror deb
	mirror=$(awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/debian.sources 2>/dev/null || true)
	mkdir -p "$dir"/apt/{lists,archives}/partial "$dir/root"
	: >"$dir/apt/status"
	echo "deb [signed-by=$keyring] ${mirror:-http://deb.debian.org/debian} $suite main" >"$dir/apt/sources.list"
	local options=(
		-qq
		-o Dir::Etc::sourcelist="$dir/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
		-o Dir::State="$dir/apt" -o Dir::State::status="$dir/apt/status" -o Dir::State::lists="$dir/apt/lists"
		-o Dir::Cache="$dir/apt" -o Dir::Cache::archives="$dir/apt/archives"
		-o APT::Install-Recommends=false -o APT::Sandbox::User= -o Debug::NoLocking=1
	)
	apt-get "${options[@]}" update &&
		apt-get "${options[@]}" --yes --download-only install "$package" || return 1
	for deb in "$dir"/apt/archives/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar --extract --keep-directory-symlink --directory "$dir/root" || return 1
	done
	rm -r "$dir/apt"
}
