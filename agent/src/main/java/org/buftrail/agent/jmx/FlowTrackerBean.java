package org.buftrail.agent.jmx;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import javax.management.MBeanAttributeInfo;
import javax.management.NotCompliantMBeanException;
import org.buftrail.agent.source.Collected;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.source.Rendering;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.model.Figure;
import org.buftrail.model.FigureValues;
import org.buftrail.model.LeakPaths;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.ProcessMemory;
import org.buftrail.model.Snapshot;
import org.buftrail.model.Suspects;
import org.buftrail.model.TrackerStatus;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.report.Reports;
import org.buftrail.report.TreeReport;
import org.jspecify.annotations.Nullable;

/** Answers {@link FlowTrackerMXBean} from shared snapshots. Thread-safe. */
final class FlowTrackerBean extends DescribedBean<FlowTrackerMXBean> implements FlowTrackerMXBean {
  private static final long COLLECTION_MILLIS = 60_000;

  private final FlowSource source;
  private final Rendering rendering;

  FlowTrackerBean(FlowSource source, LeakNotifications notifications)
      throws NotCompliantMBeanException {
    super(FlowTrackerMXBean.class, notifications);
    this.source = source;
    this.rendering = new Rendering(source);
  }

  private Snapshot shared() {
    return source.snapshot(FlowSource.FRESH_MILLIS);
  }

  @Override
  public String getTreeView() {
    return text(ProfileFormat.TEXT);
  }

  @Override
  public String getLLMView() {
    return text(ProfileFormat.LLM);
  }

  private String text(ProfileFormat format) {
    try {
      return new String(bytes(format, shared()), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage());
    }
  }

  @Override
  public String getSummary() {
    StringBuilder text = new StringBuilder();
    try {
      TreeReport.summary(shared(), text);
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage());
    }
    return text.toString();
  }

  @Override
  public long getActiveFlowCount() {
    return value(Figure.LIVE);
  }

  @Override
  public List<ThreadView> getThreads() {
    List<ThreadView> views = new ArrayList<>();
    for (TrackerStatus.ThreadHealth thread : shared().status().threads()) {
      views.add(new ThreadView(thread));
    }
    return views;
  }

  @Override
  public int getRootCount() {
    return (int) value(Figure.ROOTS);
  }

  @Override
  public int getPathCount() {
    return (int) value(Figure.PATHS);
  }

  @Override
  public long getAllocatedCount() {
    return value(Figure.ALLOCATED);
  }

  @Override
  public long getReleasedCount() {
    return value(Figure.RELEASED);
  }

  @Override
  public long getLeakedCount() {
    return value(Figure.LEAKED);
  }

  @Override
  public long getHeldCount() {
    return value(Figure.HELD);
  }

  @Override
  public long getDroppedCount() {
    return value(Figure.DROPPED);
  }

  @Override
  public long getDroppedBytes() {
    return value(Figure.DROPPED_BYTES);
  }

  @Override
  public long getLeakedBytes() {
    return value(Figure.LEAKED_BYTES);
  }

  @Override
  public long getDirectLeakedBytes() {
    return value(Figure.DIRECT_LEAKED_BYTES);
  }

  @Override
  public long getLiveBytes() {
    return value(Figure.LIVE_BYTES);
  }

  @Override
  public long getDirectLiveBytes() {
    return value(Figure.DIRECT_LIVE_BYTES);
  }

  @Override
  public long getPeakLiveBytes() {
    return value(Figure.PEAK_LIVE_BYTES);
  }

  @Override
  public long getPoolBytes() {
    return ofPools(Figure.POOL_BYTES);
  }

  @Override
  public long getPoolHeldBytes() {
    return ofPools(Figure.POOL_HELD_BYTES);
  }

  @Override
  public long getPoolTakenBytes() {
    return ofPools(Figure.POOL_TAKEN_BYTES);
  }

  @Override
  public long getPoolFreeBytes() {
    return ofPools(Figure.POOL_FREE_BYTES);
  }

  @Override
  public long getPoolOtherBytes() {
    return ofPools(Figure.POOL_OTHER_BYTES);
  }

  @Override
  public long getPoolIdleBytes() {
    return ofPools(Figure.POOL_IDLE_BYTES);
  }

  @Override
  public long getPoolNotLocatedBytes() {
    return ofPools(Figure.POOL_NOT_LOCATED_BYTES);
  }

  @Override
  public long getPoolAloneBytes() {
    return ofPools(Figure.POOL_ALONE_BYTES);
  }

  @Override
  public long getResidentBytes() {
    return FigureValues.of(source.withRecentProcess(shared())).get(Figure.RESIDENT_BYTES);
  }

  @Override
  public long getDirectCallBytes() {
    return ofPools(Figure.DIRECT_CALL_BYTES);
  }

  /** Asks the allocators, unless they were asked just now. */
  private long ofPools(Figure figure) {
    return FigureValues.of(source.withRecentPools(shared())).get(figure);
  }

  private @Nullable PoolMemory pools() {
    return source.withRecentPools(shared()).pools();
  }

  private long value(Figure figure) {
    return source.figures(FlowSource.FRESH_MILLIS).get(figure);
  }

  @Override
  protected String getDescription(MBeanAttributeInfo attribute) {
    Figure figure = Figure.of(Figure.Place.BEAN, attribute.getName());
    return figure == null ? super.getDescription(attribute) : figure.help() + detail(figure);
  }

  /** A detail that holds for the bean alone, not for other places that show the figure. */
  private static String detail(Figure figure) {
    if (figure.unit() == Figure.Unit.MILLIS) {
      return ", in milliseconds; -1 when there is none";
    }
    return figure.label() == Figure.Label.MEMORY ? "; resources are counted too" : "";
  }

  @Override
  public long getOldestLiveMillis() {
    return value(Figure.OLDEST_LIVE);
  }

  @Override
  public int getSampling() {
    return (int) value(Figure.SAMPLING);
  }

  @Override
  public long getOverflowedCount() {
    return value(Figure.OVERFLOWED);
  }

  @Override
  public long getMisuseCount() {
    return value(Figure.MISUSES);
  }

  @Override
  public long getSuppressedErrorCount() {
    return value(Figure.SUPPRESSED_ERRORS);
  }

  @Override
  public long getLostReleaseCount() {
    return value(Figure.LOST_RELEASES);
  }

  @Override
  public String getStopReason() {
    TrackerStatus.@Nullable Stop stop = shared().status().stop();
    return stop == null ? "" : stop.reason();
  }

  @Override
  public long getStoppedSinceMillis() {
    return value(Figure.TRACKING_STOPPED);
  }

  @Override
  public long getSinceMillis() {
    return source.sinceMillis();
  }

  @Override
  public List<PathView> getLeakPaths() {
    return worst(LeakPaths.of(shared().paths()), Path::leaked);
  }

  @Override
  public List<PathView> getLivePaths() {
    return worst(shared().paths(), Path::live);
  }

  @Override
  public List<PathView> getPeakPaths() {
    return MemoryViews.peakPaths(shared());
  }

  @Override
  public List<PoolView> getPools() {
    return MemoryViews.pools(pools());
  }

  @Override
  public List<HolderView> getPoolHolders() {
    return MemoryViews.holders(pools());
  }

  @Override
  public List<ChunkView> getPoolChunks() {
    return MemoryViews.chunks(pools());
  }

  @Override
  public List<DirectCallView> getDirectCalls() {
    return MemoryViews.calls(pools());
  }

  @Override
  public List<AccountView> getDirectAccounts() {
    return MemoryViews.accounts(pools());
  }

  @Override
  public List<OwnerView> getResidentOwners() {
    return MemoryViews.owners(source.withRecentProcess(shared()).resident());
  }

  @Override
  public List<String> getMemoryLimits() {
    ProcessMemory process = source.withRecentProcess(shared()).resident();
    return process == null ? List.of() : process.limits();
  }

  @Override
  public List<ReleasedView> getReleasedPaths() {
    return MemoryViews.released(shared());
  }

  @Override
  public RangeView range(long fromMillis, long toMillis) {
    return MemoryViews.range(source.minutes(), fromMillis, toMillis);
  }

  @Override
  public long getPeakAtMillis() {
    return value(Figure.PEAK_AT);
  }

  @Override
  public List<SuspectView> getSuspectPaths() {
    List<SuspectView> views = new ArrayList<>();
    for (Suspects.Suspect suspect : Suspects.of(shared())) {
      views.add(new SuspectView(suspect));
    }
    return views;
  }

  @Override
  public List<MisuseView> getMisuses() {
    List<Misuse> misuses = new ArrayList<>(shared().misuses());
    misuses.sort(Comparator.comparingLong(misuse -> -misuse.count()));
    List<MisuseView> views = new ArrayList<>();
    for (Misuse misuse : MemoryViews.first(misuses)) {
      views.add(new MisuseView(misuse));
    }
    return views;
  }

  @Override
  public CollectionView collect() {
    return new CollectionView(Collected.now(source, COLLECTION_MILLIS));
  }

  private static List<PathView> worst(List<Path> all, Function<Path, Path.Flows> which) {
    List<Path> paths = new ArrayList<>();
    for (Path path : all) {
      if (which.apply(path).count() > 0) {
        paths.add(path);
      }
    }
    paths.sort(Comparator.comparingLong(path -> -which.apply(path).bytes()));
    List<PathView> views = new ArrayList<>();
    for (Path path : MemoryViews.first(paths)) {
      views.add(new PathView(path));
    }
    return views;
  }

  @Override
  public List<String> getFormats() {
    return Rendering.formats();
  }

  @Override
  public void exportToFile(String path, String format) throws IOException {
    java.nio.file.Path file;
    try {
      file = Paths.get(path);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("'" + path + "' is not a path");
    }
    if (format == null || format.isEmpty()) {
      Reports.write(source.whole(source.snapshot(0)), rendering.history(), file);
    } else {
      Reports.write(
          source.whole(source.snapshot(0)), rendering.history(), Rendering.format(format), file);
    }
  }

  @Override
  public byte[] render(String format) throws IOException {
    return bytes(Rendering.format(format), source.whole(source.snapshot(0)));
  }

  private byte[] bytes(ProfileFormat format, Snapshot snapshot) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 14);
    rendering.write(snapshot, format, out);
    return out.toByteArray();
  }

  @Override
  public boolean isTracking() {
    return FlowTracker.INSTANCE.isFollowing();
  }

  @Override
  public void setTracking(boolean tracking) {
    FlowTracker.INSTANCE.setFollowing(tracking);
  }

  @Override
  public void reset() {
    source.reset();
  }
}
