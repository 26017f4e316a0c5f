package org.buftrail.jfr.merge;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.jfr.chunk.ChunkResult;
import org.buftrail.jfr.events.AllocationLogs;
import org.buftrail.jfr.events.AttributeKeys;
import org.buftrail.jfr.events.EventAggregator;
import org.buftrail.jfr.events.EventFilter;
import org.buftrail.jfr.events.EventTypes;
import org.buftrail.jfr.file.ChunkFinder;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.DamageListener;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.jfr.process.NativeLibraries;
import org.buftrail.jfr.process.ProcessAttributes;
import org.buftrail.jfr.process.ProcessId;
import org.buftrail.jfr.process.SamplingSettings;
import org.buftrail.jfr.samples.DictionaryCopy;
import org.buftrail.jfr.samples.LiveAllocations;
import org.buftrail.jfr.samples.NameRules;
import org.buftrail.jfr.samples.ProfileBuilder;
import org.buftrail.jfr.samples.SampleResolver;
import org.buftrail.jfr.samples.StackTraces;
import org.buftrail.jfr.samples.SymbolResolver;
import org.buftrail.jfr.samples.ThreadNames;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.text.Amounts;
import org.jspecify.annotations.Nullable;

/**
 * Merges decoded chunks, in the order of the files, into samples over one dictionary: what they
 * call their constants becomes entries of it. What goes on from chunk to chunk is here: allocations
 * that are live, values of which the last counts, and how the process was sampled. What it has
 * grown to is kept for the next conversion, which {@link #begin} starts.
 */
final class ChunkMerger {
  private static final String SCOPE = "org.buftrail.jfr";

  /** Nobody counts more kinds of events than that, each of which has its profile. */
  private static final int MOST_COUNTED = 100;

  private static final String OTHER_EVENTS = "other events";

  /** About what rows keep of an attribute set as texts. */
  private static final long CONTEXT_BYTES = 600;

  private final Dictionary dictionary = new Dictionary();
  private final Choices choices;
  private final EventFilter selection;
  private final SymbolResolver names;
  private final ThreadNames threads;
  private final NativeLibraries libraries = new NativeLibraries(dictionary);
  private final StackTraces stackTraces;
  private final SampleResolver resolver;
  private final Map<ProfileType, ProfileBuilder> sums = new LinkedHashMap<>();
  private final Map<String, ProfileType> counted = new HashMap<>();
  private final NamedEvents named;
  private final LiveAllocations live = new LiveAllocations();
  private final LiveSamples liveSamples = new LiveSamples();
  private ProcessAttributes origin = new ProcessAttributes(libraries);
  private Tally tally = new Tally();
  private List<Fault> faults = new ArrayList<>();
  private @Nullable ChunkHeader previous;
  private @Nullable ProcessId process;
  private final Gaps gaps = new Gaps();
  private long start = Long.MAX_VALUE;
  private long end = Long.MIN_VALUE;
  private final @Nullable SampleRows rows;

  /** A dictionary of rows that has grown beyond this is renewed between chunks. */
  private long mostBytes;

  private final long leastBytes;

  /**
   * @param rows takes the samples, which then are in no profile; null to keep them
   */
  ChunkMerger(Choices choices, EventFilter selection, @Nullable SampleRows rows) {
    this.selection = selection;
    this.rows = rows;
    leastBytes = rows == null ? Long.MAX_VALUE : rows.of(dictionary);
    mostBytes = leastBytes;
    this.choices = choices;
    named = new NamedEvents(choices.events);
    names = new SymbolResolver(dictionary, choices.normalized ? new NameRules() : null);
    threads = new ThreadNames(dictionary, names);
    stackTraces =
        new StackTraces(dictionary, names, libraries, choices.compilation, choices.bytecodeIndex);
    resolver = new SampleResolver(dictionary, names, stackTraces, sums);
    resolver.filter(choices.threads, choices.include, choices.exclude);
    for (EventKind kind : selection.all()) {
      for (EventKind.Target target : kind.targets()) {
        register(target.profile());
      }
      if (kind.live() != null) {
        register(kind.live());
      }
    }
  }

  /** Forgets all that was converted. The profiles of the last conversion are void. */
  void begin() {
    dictionary.clear();
    libraries.clear();
    for (ProfileBuilder profile : sums.values()) {
      profile.clear();
    }
    sums.keySet().removeAll(counted.values());
    counted.clear();
    named.clear();
    names.clear();
    live.clear();
    resolver.clear();
    resolver.filter(choices.threads, choices.include, choices.exclude);
    origin = new ProcessAttributes(libraries);
    tally = new Tally();
    faults = new ArrayList<>();
    previous = null;
    process = null;
    gaps.clear();
    start = Long.MAX_VALUE;
    end = Long.MIN_VALUE;
    mostBytes = leastBytes;
  }

  private void register(ProfileType type) {
    if (selection.wants(type.kind()) && !sums.containsKey(type)) {
      sums.put(type, new ProfileBuilder(type, selection.timestamps(), rows));
    }
  }

  /** How many bytes have been merged since {@link #begin}. */
  long bytes() {
    return tally.bytes();
  }

  /** Forgets what was live: where a recording breaks off, that is not known. */
  void breakOff() {
    live.clear();
    endProcess();
  }

  /** Objects still live in the process of the last chunk were live at its end. */
  void endProcess() {
    if (previous != null) {
      live.endProcess(liveSamples);
      for (ProfileBuilder profile : sums.values()) {
        profile.last().endProcess(profile);
      }
    }
    if (rows != null) {
      rows.endChunk();
    }
    origin.sampling().clear();
    libraries.clear();
    names.clear();
    previous = null;
    process = null;
  }

  /** Adds what is live to the samples of its profile type. */
  private final class LiveSamples implements LiveAllocations.Taker {
    @Override
    public void add(ProfileType type, int stack, int attributes, int link, long ticks, long bytes) {
      ProfileBuilder profile = sums.get(type);
      ChunkHeader header = previous;
      // Stacks are selected only now: a free has none.
      if (profile != null && header != null && resolver.accepts(stack)) {
        profile.put(stack, attributes, link, header.nanos(ticks), 1, bytes);
      }
    }
  }

  /**
   * Merges the next chunk of a file.
   *
   * @param isAll whether all of the recording's time is converted
   */
  void add(Path file, ChunkFinder.Chunk chunk, ChunkResult result, boolean isAll) {
    ChunkHeader header = result.header();
    tally.addChunk(chunk.end - header.offset);
    for (DamageException damage : result.damages()) {
      report(file, header.index, damage);
    }
    follow(result);
    EventTypes types = result.types();
    if (types != null) {
      add(result, types, header);
      count(types, isAll);
      reportMissing(file, chunk, result);
    }
  }

  /** Takes what a chunk says of its process, and nothing else. */
  void pass(ChunkResult result) {
    follow(result);
    if (result.types() != null) {
      origin.add(result.origin.events());
    }
  }

  /** Ends the process before, if a chunk is of another. */
  private void follow(ChunkResult result) {
    ChunkHeader header = result.header();
    ChunkHeader before = previous;
    ProcessId id = result.origin.process();
    if (before != null && !(header.isSameProcess(before) && ProcessId.maySame(process, id))) {
      endProcess();
    }
    previous = header;
    process = id == null ? process : id;
  }

  private void add(ChunkResult result, EventTypes types, ChunkHeader header) {
    named.look(types.metadata());
    resolver.begin(result);
    names.begin(result);
    origin.add(result.origin.events());
    applySettings();
    if (rows != null) {
      rows.beginChunk(origin, header.offset);
    }
    stackTraces.resolve(result.constants);
    threads.resolve(result.threads, result.constants.threads);
    widen(header.startNanos, header.startNanos + Math.max(0, header.durationNanos));
    // Rows of what allocates come last.
    addRows(types, header, false);
    int[][] allocators = addRows(types, header, true);
    if (rows == null || rows.range().hasEnds()) {
      for (AllocationLogs.Family logged : result.allocations.families()) {
        live.add(logged, allocators);
      }
    }
    if (rows != null) {
      rows.endChunk();
      if (dictionaryBytes() > mostBytes) {
        renew(rows);
      }
    }
  }

  private long dictionaryBytes() {
    return dictionary.bytes() + CONTEXT_BYTES * dictionary.attributeSets().size();
  }

  /**
   * Forgets all of the dictionary but what is live and what counts last. Samples have been handed
   * on, so nothing else needs it: the next chunk brings its own constants.
   */
  private void renew(SampleRows to) {
    Dictionary kept = new Dictionary();
    move(new DictionaryCopy(dictionary, kept));
    dictionary.clear();
    move(new DictionaryCopy(kept, dictionary));
    libraries.renew();
    names.clear();
    resolver.clear();
    to.renew();
    mostBytes = Math.max(leastBytes, 2 * dictionaryBytes());
  }

  private void move(DictionaryCopy copy) {
    live.move(copy);
    for (ProfileBuilder profile : sums.values()) {
      profile.last().move(copy);
    }
  }

  /** Adds rows; answers what stacks, attributes and links they have become. */
  private int[][] addRows(EventTypes types, ChunkHeader header, boolean allocating) {
    int[][] identities = new int[types.sources()][];
    for (EventAggregator rows : types.rows()) {
      boolean isWanted = (rows.allocations() != null) == allocating;
      if (isWanted && rows.rows.size() > 0) {
        if (this.rows != null) {
          this.rows.event(rows.kind.event());
          for (EventKind.Target target : rows.targets) {
            register(target.profile());
          }
        }
        resolver.add(rows, header);
        gaps.stacks(rows.kind.event(), resolver.missingStacks(), resolver.namedStacks());
        gaps.addresses(rows.kind, rows.withoutAddress, rows.count());
        widen(header.nanos(rows.earliest), header.nanos(rows.latest) + 1);
        if (allocating) {
          identities[rows.source()] = resolver.identities(rows.rows.size());
        }
      }
    }
    return identities;
  }

  private void count(EventTypes types, boolean isAll) {
    for (EventTypes.Entry entry : types.entries()) {
      if (entry.count > 0) {
        boolean isWhole = entry.converted == entry.count;
        String why = isWhole ? "" : selection.whyNot(entry.name, !isAll);
        tally.add(entry.name, entry.count, entry.converted, entry.bytes, why);
      }
    }
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
    for (ProfileBuilder profile : sums.values()) {
      Long period = periods.get(profile.type());
      profile.period(period == null ? profile.type().period() : period);
    }
  }

  /**
   * Tells of constants that are missing. A JVM loses some now and then when it begins a chunk: only
   * where more is wrong with the chunk are they a part of the damage.
   */
  private void reportMissing(Path file, ChunkFinder.Chunk chunk, ChunkResult result) {
    boolean isAnyName = names.isAnyMissing() || result.origin.isAnyMissing();
    long offset = result.header().offset;
    boolean isDamaged = !chunk.damages.isEmpty() || !result.damages().isEmpty();
    long stacks = gaps.endChunk(isDamaged, isAnyName);
    if (!isDamaged) {
      return;
    }
    if (stacks > 0) {
      String cause =
          "the stack traces of "
              + Amounts.counted(stacks, "event is missing", "events are missing");
      report(file, chunk.index, new DamageException(offset, cause));
    }
    if (isAnyName) {
      String cause = "classes, methods or names are missing";
      report(file, chunk.index, new DamageException(offset, cause));
    }
  }

  /** Notes trouble with a file as a whole. */
  void report(Path file, String cause) {
    report(file, Fault.WHOLE_FILE, new DamageException(0, cause));
  }

  /** Notes trouble with a chunk. */
  void report(Path file, int chunk, DamageException damage) {
    if (faults.size() < DamageListener.MOST) {
      faults.add(new Fault(file, chunk, damage.offset(), damage.reason()));
    }
  }

  private void widen(long from, long to) {
    start = Math.min(start, from);
    end = Math.max(end, to);
  }

  /** Puts everything together. */
  Merged finish() {
    Profiles profiles = new Profiles(dictionary).madeBy(SCOPE);
    for (ProfileBuilder profile : sums.values()) {
      profile.addTo(profiles, start, Math.max(1, end - start));
    }
    origin.describe(profiles.resource());
    if (start <= end) {
      tally.range(start, end);
    }
    if (!faults.isEmpty() || gaps.isAnyProfilePartial()) {
      profiles.resource().put(AttributeKeys.PARTIAL, true);
    }
    return new Merged(profiles, tally, faults, gaps.notes(), named.unmet());
  }
}
