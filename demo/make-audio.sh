#!/usr/bin/env bash
# Speaks the demo episodes: scripts/NN.txt -> audio/NN-slug.mp3, transcripts/NN-slug.vtt, chapters/NN-slug.json
#
#   demo/make-audio.sh          all episodes
#   demo/make-audio.sh 03 05    only these
#
# Needs bash, espeak-ng, ffmpeg (with ffprobe) and awk. Each sentence is spoken by itself and its length is counted in
# samples, so cues and chapters start exactly where the voice does. Episode 05 also carries its chapters and its
# artwork inside the MP3 (ID3v2 CHAP, CTOC and APIC).
set -euo pipefail
cd "$(dirname "$0")"

RATE=24000              # samples a second; mono, 16 bit, so two bytes a sample
BITRATE=48k
EMBED=05                # this episode's MP3 holds its chapters and a small cover
ALBUM='Plain Ground'
ARTIST='Imogen Tarrant'
YEAR=2026

WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
PCM=(-f s16le -ar "$RATE" -ac 1)

samples() { echo $(( $(wc -c <"$1") / 2 )); }

# 53250 (samples) -> 00:00:02.219
timestamp() {
  awk -v n="$1" -v r="$RATE" 'BEGIN { ms = int(n * 1000 / r + 0.5)
    printf "%02d:%02d:%02d.%03d\n", int(ms / 3600000), int(ms / 60000) % 60, int(ms / 1000) % 60, ms % 1000 }'
}
seconds() { awk -v n="$1" -v r="$RATE" 'BEGIN { printf "%.3f", n / r }'; }

silence() { head -c $(( RATE * 2 * $1 / 1000 )) /dev/zero; }   # milliseconds

# A struck chord, quiet, that has died away before the voice comes in: three sines with a soft attack.
chord() { # seconds, three frequencies
  ffmpeg -v error -f lavfi -i "aevalsrc='0.055*min(1,t/0.03)*(exp(-1.9*t)*sin(2*PI*$2*t)+0.7*exp(-2.3*t)*sin(2*PI*$3*t)*gt(t,0.22)*min(1,(t-0.22)/0.03)+0.5*exp(-2.6*t)*sin(2*PI*$4*t)*gt(t,0.44)*min(1,(t-0.44)/0.03))':s=$RATE:d=$1" \
    -af "lowpass=f=3200,afade=t=out:st=$(awk -v d="$1" 'BEGIN { print d - 0.5 }'):d=0.5" "${PCM[@]}" -
}

# One sentence in one voice, without the silence that espeak-ng puts around it.
speak() { # voice, pitch, words a minute, text
  espeak-ng -v "$1" -p "$2" -s "$3" -g 1 --stdout -- "$4" |
    ffmpeg -v error -i - -af "silenceremove=start_periods=1:start_threshold=-50dB,areverse,silenceremove=start_periods=1:start_threshold=-50dB,areverse,highpass=f=85,equalizer=f=3000:t=q:w=1.2:g=-2,lowpass=f=9500,afade=t=in:d=0.01" "${PCM[@]}" -
}

episode() {
  local nn=$1 script="scripts/$1.txt"
  local notes; notes=$(ls episodes/"$nn"-*.md)
  local name; name=$(basename "$notes" .md)
  local title; title=$(sed -n 's/^title: *//p' "$notes" | head -1 | sed 's/^"\(.*\)"$/\1/')
  local pcm="$WORK/$nn.pcm" line="$WORK/line.pcm"
  local vtt="transcripts/$name.vtt" json="chapters/$name.json" meta="$WORK/$nn.meta"
  local -A label=() voice=() pitch=() speed=() said=()
  local -a starts=() titles=()
  local previous='' chapter='' who text sentence start end i

  printf 'WEBVTT\n' >"$vtt"
  chord 2.4 220 329.63 440 >"$pcm"

  while IFS= read -r row || [[ -n $row ]]; do
    case $row in
      ''|'#'*) continue ;;
      voice:*)
        IFS='|' read -r who text start end sentence <<<"${row#voice:}"
        who=$(xargs <<<"$who")
        label[$who]=$(xargs <<<"$text"); voice[$who]=$(xargs <<<"$start")
        pitch[$who]=$(xargs <<<"$end"); speed[$who]=$(xargs <<<"$sentence")
        continue ;;
      say:*) IFS='|' read -r who text <<<"${row#say:}"; said[$(xargs <<<"$who")]=$(sed 's/^ *//' <<<"$text"); continue ;;
      chapter:*) chapter=${row#chapter: }; continue ;;
    esac

    who=${row%%:*}; text=${row#*: }
    # the pause before a turn: longest at a new chapter, short when the other one answers
    if [[ -n $chapter && -n $previous ]]; then silence 1100 >>"$pcm"
    elif [[ -n $previous ]]; then silence 480 >>"$pcm"; fi
    if [[ -n $chapter ]]; then
      titles+=("$chapter")
      # the first chapter begins with the opening chord
      if [[ -z $previous ]]; then starts+=(0); else starts+=("$(samples "$pcm")"); fi
      chapter=''
    fi
    previous=$who

    local first=1
    while IFS= read -r sentence; do
      if (( first )); then first=0; else silence 300 >>"$pcm"; fi
      text=$sentence
      for i in "${!said[@]}"; do text=${text//"$i"/"${said[$i]}"}; done
      speak "${voice[$who]}" "${pitch[$who]}" "${speed[$who]}" "$text" >"$line"
      start=$(samples "$pcm"); cat "$line" >>"$pcm"; end=$(samples "$pcm")
      printf '\n%s --> %s\n<v %s>%s</v>\n' "$(timestamp "$start")" "$(timestamp "$end")" "${label[$who]}" "$sentence" >>"$vtt"
    done < <(sed -E 's/([.?!]) +/\1\n/g' <<<"$text")
  done <"$script"

  silence 500 >>"$pcm"
  chord 2.2 293.66 220 146.83 >>"$pcm"
  local total; total=$(samples "$pcm")

  # chapters: Podcasting 2.0 JSON, and the same as ffmpeg metadata
  printf ';FFMETADATA1\n' >"$meta"
  {
    printf '{\n  "version": "1.2.0",\n  "chapters": [\n'
    for i in "${!starts[@]}"; do
      local next=${starts[i + 1]:-$total} comma=','
      [[ $i -eq $(( ${#starts[@]} - 1 )) ]] && comma=''
      printf '    { "startTime": %s, "title": "%s" }%s\n' "$(seconds "${starts[i]}")" "${titles[i]}" "$comma"
      printf '[CHAPTER]\nTIMEBASE=1/%s\nSTART=%s\nEND=%s\ntitle=%s\n' "$RATE" "${starts[i]}" "$next" "${titles[i]}" >>"$meta"
    done
    printf '  ]\n}\n'
  } >"$json"

  # loudness in two passes: measure with loudnorm, then one constant gain to -19 LUFS (mono) under a limiter (loudnorm itself
  # would turn to a moving gain here, which makes the opening chord loud)
  local shape='acompressor=threshold=-20dB:ratio=2.5:attack=8:release=160:makeup=2'
  local limit='alimiter=limit=0.7:attack=3:release=60:level=disabled'
  lufs() { ffmpeg -hide_banner -nostats "${PCM[@]}" -i "$pcm" -af "$1,loudnorm=I=-19:print_format=json" -f null - 2>&1 |
    sed -n 's/.*"input_i" : "\([^"]*\)".*/\1/p'; }
  local gain; gain=$(awk -v i="$(lufs "$shape")" 'BEGIN { printf "%.2f", -19 - i }')
  # the limiter takes a little away again: measure once more behind it
  gain=$(awk -v g="$gain" -v i="$(lufs "$shape,volume=${gain}dB,$limit")" 'BEGIN { printf "%.2f", g - 19 - i }')
  local norm="$shape,volume=${gain}dB,$limit"

  local -a extra=(-map 0:a -map_metadata -1)
  if [[ $nn == "$EMBED" ]]; then
    ffmpeg -v error -y -i "images/$name.jpg" -vf scale=600:600:flags=lanczos,setsar=1 -q:v 3 -pix_fmt yuvj420p "$WORK/cover.jpg"
    extra=(-i "$WORK/cover.jpg" -i "$meta" -map 0:a -map 1:v -c:v copy -disposition:v attached_pic
      -metadata:s:v title=Cover -metadata:s:v 'comment=Cover (front)' -map_chapters 2)
  fi
  ffmpeg -v error -y "${PCM[@]}" -i "$pcm" "${extra[@]}" -af "$norm" -ar "$RATE" -ac 1 -c:a libmp3lame -b:a "$BITRATE" \
    -metadata title="$title" -metadata artist="$ARTIST" -metadata album="$ALBUM" -metadata genre=Podcast \
    -metadata track="$((10#$nn))" -metadata date="$YEAR" \
    -id3v2_version 3 -write_id3v1 0 -fflags +bitexact "audio/$name.mp3"
  printf '%s  %s s  %s bytes\n' "audio/$name.mp3" "$(seconds "$total")" "$(wc -c <"audio/$name.mp3")"
}

mkdir -p audio transcripts chapters
if (( $# == 0 )); then set -- $(ls scripts/*.txt | sed -E 's#.*/([0-9]+)\.txt#\1#'); fi
for nn in "$@"; do episode "$nn"; done
