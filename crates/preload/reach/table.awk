# Makes a table of lines with: load, threads, round, way (without or with), operations a second, user and
# system seconds a second. A ratio is with / without in one round. The table shows the ratios' median,
# least and most.
{
    key = $1 " " $2
    if (!(key in rounds)) keys[++count] = key
    if ($3 >= rounds[key]) rounds[key] = $3 + 1
    rate[key, $4, $3] = $5
    user[key, $4, $3] = $6
    system_time[key, $4, $3] = $7
}

# Sorts values[1..n] in place: there are few.
function sort(values, n,    i, j, value) {
    for (i = 2; i <= n; i++) {
        value = values[i]
        for (j = i - 1; j >= 1 && values[j] > value; j--) values[j + 1] = values[j]
        values[j + 1] = value
    }
}

function median(values, n) {
    sort(values, n)
    return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
}

function median_of(table, key, way,    i, values) {
    for (i = 0; i < rounds[key]; i++) values[i + 1] = table[key, way, i]
    return median(values, rounds[key])
}

# The ratios of the rounds in which glibc did something; `-` if there are none.
function ratio(key,    i, n, values, middle) {
    for (i = 0; i < rounds[key]; i++) {
        if (rate[key, "without", i] > 0) values[++n] = rate[key, "with", i] / rate[key, "without", i]
    }
    if (!n) return "-"
    middle = median(values, n)
    return sprintf("%.2f (%.2f to %.2f)", middle, values[1], values[n])
}

END {
    shape = "| %-22s | %7s | %12s | %12s | %-22s | %11s | %11s |\n"
    printf shape, "load", "threads", "without /s", "with /s", "ratio (least to most)", "user s", "system s"
    printf shape, "---", "--:", "--:", "--:", "---", "---", "---"
    for (k = 1; k <= count; k++) {
        key = keys[k]
        split(key, part, " ")
        printf shape, part[1], part[2], sprintf("%.0f", median_of(rate, key, "without")),
            sprintf("%.0f", median_of(rate, key, "with")), ratio(key),
            sprintf("%.2f, %.2f", median_of(user, key, "without"), median_of(user, key, "with")),
            sprintf("%.2f, %.2f", median_of(system_time, key, "without"), median_of(system_time, key, "with"))
    }
}
