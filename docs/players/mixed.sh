# Two times in three the first legal move, which is the lowest bid, and else the last one: the call, where there is one.
while read -r word line; do
  [ "$word" = move ] || continue
  legal=${line##*legal=}
  first=${legal%%,*} last=${legal##*,}
  if [ "$first" = "$last" ]; then echo "$first"; else echo "$first=2/3 $last=1/3"; fi
done
