package org.buftrail.jfr;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/**
 * Converts one recording after the other into the same samples. What it has grown to is kept for
 * the next conversion, which {@link #begin} starts.
 */
final class RecordingConverter {
  private static final String SCOPE = "org.buftrail.jfr";

  /** The same trouble is not reported for ever. */
  static final int MOST_DAMAGES = 1000;

  /** Nobody counts more kinds of events than that, each of which has its profile. */
  private static final int MOST_COUNTED = 100;

  private static final String OTHER_EVENTS = "other events";

  private final Dictionary dictionary = new Dictionary();
  private final Options options;
  private @Nullable LongConsumer progress;
  private final Selection selection;
  private final ChunkReader reader;
  private final Constants constants = new Constants();
  private final Names names;
  private final ThreadNames threads;
  private final NativeLibraries libraries = new NativeLibraries(dictionary);
  private final StackTraces stackTraces;
  private final SampleResolver resolver;
  private final ChunkTexts texts = new ChunkTexts();
  private final SpansAhead spansAhead;
  private final Map<ProfileType, ProfileSums> sums = new LinkedHashMap<>();
  private final Map<String, ProfileType> counted = new HashMap<>();
  private final NamedEvents named;
  private final Pairings pairings = new Pairings();
  private Origin origin;
  private Stats stats = new Stats();
  private List<Damage> damages = new ArrayList<>();
  private @Nullable ChunkHeader previous;
  private boolean hasRecording;
  private TimeRange range = TimeRange.ALL;
  private long start = Long.MAX_VALUE;
  private long end = Long.MIN_VALUE;

  /** Notes trouble with a chunk. */
  private final class ChunkReport implements ChunkReader.Report {
    private final Path file;
    private final int chunk;

    ChunkReport(Path file, int chunk) {
      this.file = file;
      this.chunk = chunk;
    }

    @Override
    public void damaged(DamageException damage) {
      report(file, chunk, damage);
    }
  }

  RecordingConverter(Options options) {
    selection = new Selection(options);
    this.options = options;
    named = new NamedEvents(options);
    reader = new ChunkReader(texts, constants, selection, pairings);
    names = new Names(dictionary, constants, texts, options.normalized() ? new NameRules() : null);
    threads = new ThreadNames(dictionary, constants, texts, names);
    stackTraces = new StackTraces(dictionary, constants, names, libraries, options.bytecodeIndex());
    spansAhead = new SpansAhead(constants, texts);
    resolver = new SampleResolver(dictionary, constants, names, stackTraces, sums);
    resolver.filter(options);
    origin = new Origin(dictionary.strings(), texts, names, libraries);
    for (EventKind kind : selection.all()) {
      for (EventKind.Target target : kind.targets()) {
        register(target.profile());
      }
      if (kind.live() != null) {
        register(kind.live());
      }
    }
  }

  /**
   * Forgets all that was converted. The profiles of the last conversion are void.
   *
   * @param listener is told how many bytes have been read; null if nobody is
   */
  void begin(@Nullable LongConsumer listener) {
    progress = listener;
    dictionary.clear();
    libraries.clear();
    for (ProfileSums profile : sums.values()) {
      profile.clear();
    }
    sums.keySet().removeAll(counted.values());
    counted.clear();
    named.clear();
    pairings.clear();
    resolver.clear();
    resolver.filter(options);
    origin = new Origin(dictionary.strings(), texts, names, libraries);
    stats = new Stats();
    damages = new ArrayList<>();
    spansAhead.endProcess();
    previous = null;
    hasRecording = false;
    start = Long.MAX_VALUE;
    end = Long.MIN_VALUE;
  }

  private void register(ProfileType type) {
    if (selection.wants(type.kind()) && !sums.containsKey(type)) {
      sums.put(type, new ProfileSums(type, selection.timestamps()));
    }
  }

  /** Converts a recording, as far as it can be read. */
  void convert(Path file, Window window) throws IOException {
    ChunkFinder finder = new ChunkFinder(window);
    if (!finder.isRecording()) {
      throw new RecordingException(file, "not a flight recording");
    }
    hasRecording = true;
    try {
      convert(file, window, finder);
    } catch (IOException e) {
      // What was live when it broke off is not known.
      pairings.clear();
      endProcess();
      throw e;
    }
    endProcess();
  }

  /** Whether any of the files was a recording. */
  boolean hasRecording() {
    return hasRecording;
  }

  private void convert(Path file, Window window, ChunkFinder finder) throws IOException {
    range = range(new ChunkFinder(window));
    reader.range(range);
    for (ChunkFinder.Chunk chunk = finder.next(); chunk != null; chunk = finder.next()) {
      ChunkReader.Report report = new ChunkReport(file, chunk.index);
      for (DamageException damage : chunk.damages) {
        report.damaged(damage);
      }
      ChunkHeader header = chunk.header;
      if (header != null) {
        stats.addChunk(chunk.end - header.offset);
        convert(window, header, chunk.end, finder, report);
        window.confine(window.size());
        tellProgress();
      }
    }
  }

  private void tellProgress() {
    LongConsumer listener = progress;
    if (listener != null) {
      listener.accept(stats.bytes());
    }
  }

  /** What was alive in the process that the last chunk is of, was alive at its end. */
  private void endProcess() {
    ChunkHeader header = previous;
    if (header != null) {
      for (Pairings.Family family : pairings.families()) {
        ProfileSums live = sums.get(family.live());
        if (live != null) {
          family.pairing().endProcess(new LiveSamples(live, header));
        }
      }
      for (ProfileSums profile : sums.values()) {
        profile.last().endProcess(profile);
      }
    }
    origin.sampling().clear();
    libraries.clear();
    spansAhead.endProcess();
    previous = null;
  }

  /** Adds what is live to the samples of a profile type. */
  private final class LiveSamples implements Pairing.Live {
    private final ProfileSums profile;
    private final ChunkHeader header;

    LiveSamples(ProfileSums profile, ChunkHeader header) {
      this.profile = profile;
      this.header = header;
    }

    @Override
    public void add(int stack, int attributes, int link, long ticks, long bytes) {
      // Only now: a free has no stack.
      if (resolver.accepts(stack)) {
        profile.put(stack, attributes, link, header.nanos(ticks), 1, bytes);
      }
    }
  }

  /** What is selected of a recording, which takes a look at all its chunks if it is relative. */
  private TimeRange range(ChunkFinder finder) throws IOException {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    if (options.fromMillis() != 0 || options.toMillis() != 0) {
      for (ChunkFinder.Chunk chunk = finder.next(); chunk != null; chunk = finder.next()) {
        ChunkHeader header = chunk.header;
        if (header != null) {
          first = Math.min(first, header.startNanos);
          last = Math.max(last, header.startNanos + header.durationNanos);
        }
      }
    }
    return TimeRange.of(options, first, last);
  }

  private void convert(
      Window window,
      ChunkHeader header,
      long chunkEnd,
      ChunkFinder finder,
      ChunkReader.Report report)
      throws IOException {
    if (previous != null && !header.isSameProcess(previous)) {
      endProcess();
    }
    previous = header;
    Metadata metadata = reader.open(window, header, chunkEnd, report);
    if (metadata == null) {
      return;
    }
    named.look(metadata);
    spansAhead.look(window, header, metadata, finder, report);
    EventTypes types = reader.readEvents(window, header, metadata, spansAhead.of(metadata), report);
    reader.readConstants(window, header, types, report);
    resolver.begin();
    names.begin();
    readOrigin(window, types, report);
    stackTraces.resolve();
    DamageException broken = constants.stackDamage();
    if (broken != null) {
      report.damaged(broken);
    }
    try {
      threads.resolve(window, metadata);
    } catch (DamageException damage) {
      report.damaged(damage);
    }
    widen(header.startNanos, header.startNanos + Math.max(0, header.durationNanos));
    // Rows of what allocates come last.
    addRows(types, header, false);
    addRows(types, header, true);
    pairings.endChunk();
    for (EventTypes.Entry entry : types.entries()) {
      if (entry.count > 0) {
        stats.add(entry.name, entry.count, entry.converted, entry.bytes);
        if (entry.converted < entry.count) {
          stats.skipped(entry.name, selection.whyNot(entry.name, !range.isAll()));
        }
      }
    }
    reportMissing(header, report);
  }

  private void addRows(EventTypes types, ChunkHeader header, boolean paired) {
    for (EventRows rows : types.rows()) {
      if ((rows.pairing() != null) == paired && rows.rows.size() > 0) {
        resolver.add(rows, header);
        widen(header.nanos(rows.earliest), header.nanos(rows.latest) + 1);
      }
    }
  }

  private void readOrigin(Window window, EventTypes types, ChunkReader.Report report)
      throws IOException {
    try {
      origin.read(window, types, reader.remembered());
    } catch (DamageException damage) {
      report.damaged(damage);
    }
    applySettings();
  }

  /** Has samples added up by what the settings say from now on. */
  private void applySettings() {
    SamplingSettings sampling = origin.sampling();
    Map<ProfileType, Long> periods = sampling.periods();
    String event = sampling.counted();
    if (event != null && counted.size() >= MOST_COUNTED && !counted.containsKey(event)) {
      event = OTHER_EVENTS;
    }
    ProfileType other = event == null ? null : counted.computeIfAbsent(event, Kinds::counted);
    if (other != null) {
      register(other);
      periods.put(other, sampling.countedPeriod());
    }
    resolver.count(other);
    resolver.onCpuOnly(sampling.isOnCpuOnly());
    for (ProfileSums profile : sums.values()) {
      Long period = periods.get(profile.type());
      profile.period(period == null ? profile.type().period() : period);
    }
  }

  private void reportMissing(ChunkHeader header, ChunkReader.Report report) {
    if (resolver.missingStacks() > 0) {
      report.damaged(
          new DamageException(
              header.offset,
              resolver.missingStacks() + " stack traces that events name are missing"));
    }
    if (names.isAnyMissing()) {
      report.damaged(new DamageException(header.offset, "classes, methods or names are missing"));
    }
  }

  /** Notes trouble with a file as a whole. */
  void report(Path file, String cause) {
    report(file, Damage.WHOLE_FILE, new DamageException(0, cause));
  }

  private void report(Path file, int chunk, DamageException damage) {
    if (damages.size() < MOST_DAMAGES) {
      damages.add(new Damage(file, chunk, damage.offset(), damage.reason()));
    }
  }

  private void widen(long from, long to) {
    start = Math.min(start, from);
    end = Math.max(end, to);
  }

  /** Puts everything together. */
  Conversion finish() {
    Profiles profiles = new Profiles(dictionary).madeBy(SCOPE);
    for (ProfileSums profile : sums.values()) {
      profile.addTo(profiles, start, Math.max(1, end - start));
    }
    origin.describe(profiles.resource());
    if (start <= end) {
      stats.range(start, end);
    }
    if (!damages.isEmpty()) {
      profiles.resource().put(AttributeKeys.PARTIAL, true);
    }
    return new Conversion(profiles, stats, damages, named.unmet());
  }
}
