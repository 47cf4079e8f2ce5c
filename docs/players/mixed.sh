# The first legal move (the lowest bid) with 2/3, the last (the call, if there is one) with 1/3.
while read -r word line; do
  [ "$word" = move ] || continue
  legal=${line##*legal=}
  first=${legal%%,*} last=${legal##*,}
  if [ "$first" = "$last" ]; then echo "$first"; else echo "$first=2/3 $last=1/3"; fi
done
