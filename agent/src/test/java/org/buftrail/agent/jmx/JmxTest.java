package org.buftrail.agent.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.Notification;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.source.SnapshotBuilder;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.Figure;
import org.buftrail.model.FigureValues;
import org.buftrail.model.Minutes;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.ProcessMemory;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JmxTest {
  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final List<String> log = new ArrayList<>();
  private Snapshot next =
      SnapshotBuilder.none()
          .direct("directBuffer app.A.read", 10, 2, 3)
          .direct("directBuffer app.B.read", 0, 0, 4)
          .heap("heapBuffer app.C.read", 5, 1, 0)
          .build();
  private long nanos;
  private @Nullable PoolMemory pools;
  private @Nullable Minutes minutes;
  private @Nullable ProcessMemory process;
  private Jmx jmx;

  @BeforeEach
  void register() {
    FlowSource source =
        new FlowSource(
            () -> next,
            () -> nanos += 2_000_000_000,
            77,
            () -> pools,
            now -> minutes,
            memory -> {
              if (process == null) {
                throw new IOException("not on this system");
              }
              return process;
            });
    jmx = new Jmx(source, log::add);
    jmx.register(server);
  }

  private Object get(String attribute) throws Exception {
    return server.getAttribute(Jmx.Names.BEAN, attribute);
  }

  @Test
  void attributesSayWhatTheSnapshotSays() throws Exception {
    assertThat(Jmx.Names.BEAN).hasToString("org.buftrail:type=FlowTracker");
    assertThat(get("ActiveFlowCount")).isEqualTo(7L);
    assertThat(get("RootCount")).isEqualTo(2);
    assertThat(get("PathCount")).isEqualTo(3);
    assertThat(get("AllocatedCount")).isEqualTo(25L);
    assertThat(get("ReleasedCount")).isEqualTo(15L);
    assertThat(get("LeakedCount")).isEqualTo(3L);
    assertThat(get("LeakedBytes")).isEqualTo(300L);
    assertThat(get("DirectLeakedBytes")).isEqualTo(200L);
    assertThat(get("LiveBytes")).isEqualTo(700L);
    assertThat(get("DirectLiveBytes")).isEqualTo(700L);
    assertThat(get("OldestLiveMillis")).isEqualTo(4_000L);
    assertThat(get("Sampling")).isEqualTo(1);
    assertThat(get("SuppressedErrorCount")).isEqualTo(0L);
    assertThat(get("SinceMillis")).isEqualTo(77L);
    assertThat((String) get("TreeView")).contains("LEAK 1 of 2").contains("app.A.read:7");
    assertThat((String) get("LLMView")).contains("leak rank=1 severity=critical");
    assertThat((String) get("Summary")).contains("leaks 2");
  }

  /** All numbers but the time since which the bean counts, which is no figure of a snapshot. */
  @Test
  void numbersAreTheFiguresOfTheTable() throws Exception {
    Map<String, String> shown = new TreeMap<>();
    for (MBeanAttributeInfo each : server.getMBeanInfo(Jmx.Names.BEAN).getAttributes()) {
      if (Set.of("long", "int").contains(each.getType()) && !each.getName().equals("SinceMillis")) {
        shown.put(each.getName(), each.getDescription());
        assertThat(((Number) get(each.getName())).longValue())
            .as(each.getName())
            .isEqualTo(FigureValues.of(next).get(figure(each.getName())));
      }
    }
    Map<String, String> table = new TreeMap<>();
    for (Figure figure : Figure.in(Figure.Place.BEAN)) {
      table.put(figure.name(Figure.Place.BEAN), figure.help() + inBean(figure));
    }
    assertThat(shown).isEqualTo(table);
  }

  private static String inBean(Figure figure) {
    switch (figure) {
      case OLDEST_LIVE:
      case PEAK_AT:
      case TRACKING_STOPPED:
        return ", in milliseconds; -1 when there is none";
      case RELEASED:
      case LEAKED:
      case LEAKED_BYTES:
      case HELD:
      case DROPPED:
      case DROPPED_BYTES:
      case LIVE:
      case LIVE_BYTES:
        return "; resources are counted too";
      default:
        return "";
    }
  }

  private static Figure figure(String attribute) {
    Figure figure = Figure.of(Figure.Place.BEAN, attribute);
    return Objects.requireNonNull(figure, attribute);
  }

  @Test
  void pathsComeAsOpenTypesWorstFirst() throws Exception {
    CompositeData[] leaks = (CompositeData[]) get("LeakPaths");
    assertThat(leaks).hasSize(2);
    assertThat(leaks[0].get("lastHop")).isEqualTo("app.A.read:7");
    assertThat(leaks[0].get("leakedBytes")).isEqualTo(200L);
    assertThat(leaks[0].get("direct")).isEqualTo(true);
    assertThat((String[]) leaks[0].get("hops"))
        .containsExactly("io.netty.buffer.PooledByteBufAllocator.directBuffer", "app.A.read:7");
    CompositeData[] live = (CompositeData[]) get("LivePaths");
    assertThat(live).extracting(p -> p.get("liveCount")).containsExactly(4L, 3L);
  }

  @Test
  void holdersAreListed() throws Exception {
    assertThat((CompositeData[]) get("PoolHolders")).isEmpty();
    for (String name : List.of("DirectCalls", "DirectAccounts", "Pools", "PoolChunks")) {
      assertThat((CompositeData[]) get(name)).isEmpty();
    }
    List<org.buftrail.model.Path.Hop> hops = next.paths().get(0).hops();
    PoolMemory.Holder holder =
        new PoolMemory.Holder(
            hops, true, new org.buftrail.model.Path.Flows(2, 32), 1, 4096, 1024, 512);
    DirectMemory.CallSite call =
        new DirectMemory.CallSite(
            hops.get(1).site(),
            new org.buftrail.model.Path.Flows(2, 64),
            new org.buftrail.model.Path.Flows(3, 96));
    pools =
        new PoolMemory(
                List.of(new PoolMemory.Pool("APool", true, 5000, 4096, 4).with(32, 4000)),
                Collections.nCopies(51, holder),
                List.of(
                    new PoolMemory.Chunk(
                        0, 4096, new org.buftrail.model.Path.Flows(2, 32), 4000, 0)),
                List.of())
            .with(
                new DirectMemory(
                    List.of(call), List.of(new DirectMemory.Account("JVM, direct", 3, 96, 128))));
    CompositeData[] holders = (CompositeData[]) get("PoolHolders");
    assertThat(holders).hasSize(50);
    assertThat(values(holders[0]))
        .isEqualTo(
            "aloneBytes=1024 bufferBytes=32 bufferCount=2 chunkCount=1 direct=true heldBytes=4096"
                + " lastHop=app.A.read:7 returnedBytes=512");
    assertThat(values(((CompositeData[]) get("DirectCalls"))[0]))
        .isEqualTo(
            "allocatedBytes=96 allocatedCount=3 liveBytes=64 liveCount=2 place=app.A.read:7");
    assertThat(values(((CompositeData[]) get("DirectAccounts"))[0]))
        .isEqualTo("bufferCount=3 bytes=96 limitBytes=128 name=JVM, direct");
    assertThat(values(((CompositeData[]) get("Pools"))[0]))
        .isEqualTo(
            "allocator=APool bytes=5000 direct=true freeBytes=4000 heldBytes=4096 idleBytes=4"
                + " notLocatedBytes=900 otherBytes=64 takenBytes=32");
    assertThat(values(((CompositeData[]) get("PoolChunks"))[0]))
        .isEqualTo(
            "allocator=APool bufferCount=2 bytes=4096 direct=true freeBytes=4000"
                + " holder=app.A.read:7 otherBytes=64 takenBytes=32");
    assertThat(get("PoolNotLocatedBytes")).isEqualTo(900L);
    assertThat(get("PoolTakenBytes")).isEqualTo(32L);
    assertThat(get("PoolFreeBytes")).isEqualTo(4000L);
    assertThat(get("PoolOtherBytes")).isEqualTo(64L);
    assertThat(get("PoolAloneBytes")).isEqualTo(51 * 1024L);
  }

  @Test
  void theProcessIsDividedWhereItCanBeLookedAt() throws Exception {
    assertThat(get("ResidentBytes")).isEqualTo(-1L);
    assertThat((CompositeData[]) get("ResidentOwners")).isEmpty();
    nanos += 61_000_000_000L;
    process =
        new ProcessMemory(
            List.of(
                new ProcessMemory.Owner("Java heap", 30, 5, "8 used"),
                new ProcessMemory.Owner("not known", 40, 0, "")),
            List.of("the cgroup at most 1 GiB"));
    assertThat(get("ResidentBytes")).isEqualTo(70L);
    CompositeData[] owners = (CompositeData[]) get("ResidentOwners");
    assertThat(owners)
        .extracting(JmxTest::values)
        .containsExactly(
            "known=8 used name=Java heap notInRamBytes=5 residentBytes=30",
            "known= name=not known notInRamBytes=0 residentBytes=40");
    assertThat((String[]) get("MemoryLimits")).containsExactly("the cgroup at most 1 GiB");
  }

  @Test
  void aRangeIsToldByPath() throws Exception {
    String[] signature = {"long", "long"};
    Object[] all = {0L, 999_999L};
    assertThatThrownBy(() -> server.invoke(Jmx.Names.BEAN, "range", all, signature))
        .hasStackTraceContaining("no minute is kept");
    org.buftrail.model.Path.Flows none = org.buftrail.model.Path.Flows.NONE;
    org.buftrail.model.Path.Flows live = new org.buftrail.model.Path.Flows(2, 64);
    Minutes.Change came = new Minutes.Change(0, none, none, live);
    Minutes.Change left =
        new Minutes.Change(
            1,
            new org.buftrail.model.Path.Flows(1, 32),
            none,
            new org.buftrail.model.Path.Flows(1, 32));
    List<org.buftrail.model.Path.Hop> hops = next.paths().get(0).hops();
    minutes =
        new Minutes(
            1_000,
            new long[] {60_000, 120_000},
            new Minutes.Series(List.of(), false, none, List.of(came, left), null),
            List.of(new Minutes.Series(hops, true, none, List.of(came, left), null)));
    CompositeData range =
        (CompositeData)
            server.invoke(Jmx.Names.BEAN, "range", new Object[] {60_000L, 120_000L}, signature);
    assertThat(range.get("fromMillis")).isEqualTo(60_000L);
    assertThat(range.get("toMillis")).isEqualTo(120_000L);
    CompositeData row = ((CompositeData[]) range.get("paths"))[0];
    assertThat((String[]) row.get("hops")).endsWith("app.A.read:7");
    assertThat(row.get("releasedBytes")).isEqualTo(32L);
    assertThat(row.get("grownBytes")).isEqualTo(-32L);
    assertThat(((CompositeData) range.get("total")).get("releasedCount")).isEqualTo(1L);
  }

  @Test
  void sizesAndLifetimesAreToldByPath() throws Exception {
    assertThat((CompositeData[]) get("ReleasedPaths")).isEmpty();
    long[] lifetimes = {0, 0, 3};
    long[] sizes = {0, 0, 0, 1, 2};
    org.buftrail.model.Path path =
        next.paths().get(0).with(new ReleaseSamples(lifetimes, sizes, 7, 9));
    next = new Snapshot(1, 1, 10, 0, TrackerStatus.FINE, List.of(path), List.of());
    CompositeData released = ((CompositeData[]) get("ReleasedPaths"))[0];
    assertThat(released.get("sampleCount")).isEqualTo(3L);
    assertThat((Long[]) released.get("lifetimes")).startsWith(0L, 0L, 3L, 0L);
    assertThat((Long[]) released.get("sizes")).startsWith(0L, 0L, 0L, 1L, 2L, 0L);
    assertThat(released.get("longestMillis")).isEqualTo(7L);
  }

  private static String values(CompositeData of) {
    List<String> values = new ArrayList<>();
    for (String name : new TreeSet<>(of.getCompositeType().keySet())) {
      values.add(name + '=' + of.get(name));
    }
    return String.join(" ", values);
  }

  @Test
  void everyAttributeAndOperationIsDescribed() throws Exception {
    MBeanInfo info = server.getMBeanInfo(Jmx.Names.BEAN);
    for (MBeanAttributeInfo attribute : info.getAttributes()) {
      assertThat(attribute.getDescription()).contains(" ").doesNotContain(attribute.getName());
    }
    assertThat(info.getOperations())
        .extracting(MBeanOperationInfo::getName)
        .containsExactlyInAnyOrder("exportToFile", "render", "collect", "reset", "range");
    for (MBeanOperationInfo operation : info.getOperations()) {
      assertThat(operation.getDescription()).contains(" ");
      assertThat(operation.getSignature())
          .allMatch(p -> p.getName().matches("path|format|fromMillis|toMillis"));
    }
  }

  @Test
  void exportsToAFileInAFormatOrByItsName(@TempDir Path directory) throws Exception {
    String[] signature = {"java.lang.String", "java.lang.String"};
    Path json = directory.resolve("a.json");
    Path text = directory.resolve("b");
    server.invoke(Jmx.Names.BEAN, "exportToFile", new Object[] {json.toString(), ""}, signature);
    server.invoke(
        Jmx.Names.BEAN, "exportToFile", new Object[] {text.toString(), "TEXT"}, signature);
    assertThat(Files.readString(json)).contains("\"format\":\"buftrail.flows\"");
    assertThat(Files.readString(text)).contains("LEAK 1 of 2");
    Path missing = directory.resolve("no/such.json");
    assertThatThrownBy(
            () ->
                server.invoke(
                    Jmx.Names.BEAN,
                    "exportToFile",
                    new Object[] {missing.toString(), ""},
                    signature))
        .isInstanceOf(MBeanException.class)
        .cause()
        .hasMessageContaining("there is no directory");
  }

  @Test
  void rendersAndNamesTheFormatsItKnows() throws Exception {
    byte[] json =
        (byte[])
            server.invoke(
                Jmx.Names.BEAN, "render", new Object[] {"json"}, new String[] {"java.lang.String"});
    assertThat(new String(json, StandardCharsets.UTF_8)).startsWith("{\"format\"");
    assertThatThrownBy(
            () ->
                server.invoke(
                    Jmx.Names.BEAN,
                    "render",
                    new Object[] {"tiff"},
                    new String[] {"java.lang.String"}))
        .hasRootCauseInstanceOf(IllegalArgumentException.class)
        .rootCause()
        .hasMessageContaining("there is no format 'tiff'; there are [txt, json");
  }

  @Test
  void suspectsComeWithTheirReasons() throws Exception {
    assertThat((CompositeData[]) get("SuspectPaths")).isEmpty();
    next =
        SnapshotBuilder.none()
            .growing("directBuffer app.A.read app.A.refuse", 30)
            .direct(
                "directBuffer app.A.read app.A.reply io.netty.buffer.ByteBuf.release[0]", 9, 0, 0)
            .build();
    CompositeData[] suspects = (CompositeData[]) get("SuspectPaths");
    assertThat(suspects).hasSize(1);
    assertThat(((CompositeData) suspects[0].get("path")).get("lastHop"))
        .isEqualTo("app.A.refuse:7");
    assertThat(suspects[0].get("arrivedCount")).isEqualTo(30L);
    assertThat(suspects[0].get("goneCount")).isEqualTo(0L);
    assertThat(suspects[0].get("siblingsReleaseIn")).isEqualTo("app.A.reply:7");
  }

  @Test
  void aCollectionSaysWhatItProved() throws Exception {
    CompositeData collected = (CompositeData) server.invoke(Jmx.Names.BEAN, "collect", null, null);
    assertThat(collected.get("collected")).isEqualTo(true);
    assertThat(collected.get("leakedCount")).isEqualTo(0L);
    assertThat(collected.get("text")).isEqualTo("the JVM collected, and no more flows leaked");
  }

  @Test
  void resetLeavesWhatIsLive() throws Exception {
    server.invoke(Jmx.Names.BEAN, "reset", null, null);
    assertThat(get("LeakedCount")).isEqualTo(0L);
    assertThat(get("ActiveFlowCount")).isEqualTo(7L);
    assertThat(get("AllocatedCount")).isEqualTo(7L);
    assertThat(get("SinceMillis")).isEqualTo(SnapshotBuilder.TAKEN_AT);
  }

  @Test
  void listenersHearOfNewLeakPathsOnly() throws Exception {
    assertThat(jmx.watcher().isWanted()).isFalse();
    BlockingQueue<Notification> heard = new LinkedBlockingQueue<>();
    server.addNotificationListener(Jmx.Names.BEAN, (n, handback) -> heard.add(n), null, null);
    assertThat(jmx.watcher().isWanted()).isTrue();
    jmx.watcher().look(next);
    assertThat(heard).isEmpty();
    jmx.watcher()
        .look(
            SnapshotBuilder.none()
                .direct("directBuffer app.A.read", 10, 9, 3)
                .direct("directBuffer app.B.read", 0, 4, 0)
                .after(1)
                .build());
    assertThat(heard).hasSize(1);
    Notification notification = heard.remove();
    assertThat(notification.getType()).isEqualTo("org.buftrail.leak.path");
    assertThat(notification.getTimeStamp()).isEqualTo(SnapshotBuilder.TAKEN_AT + 1);
    assertThat(notification.getMessage())
        .isEqualTo(
            "4 buffers, 400 bytes outside the heap, leaked on a new path, last seen in"
                + " app.B.read:7");
    CompositeData leak = (CompositeData) notification.getUserData();
    assertThat(leak.get("path"))
        .isEqualTo("io.netty.buffer.PooledByteBufAllocator.directBuffer > app.B.read:7");
    assertThat(leak.get("count")).isEqualTo(4L);
  }

  @Test
  void aConsoleThatComesAgainHearsNothingOfWhatLeakedMeanwhile() throws Exception {
    List<Notification> heard = new ArrayList<>();
    NotificationListener console = (n, handback) -> heard.add(n);
    for (int leaked : new int[] {2, 5}) {
      server.addNotificationListener(Jmx.Names.BEAN, console, null, null);
      for (int look = 0; look < 2; look++) {
        assertThat(jmx.watcher().isWanted()).isTrue();
        jmx.watcher()
            .look(
                SnapshotBuilder.none()
                    .direct("directBuffer app.A.read", 0, 1, 0)
                    .direct("directBuffer app.B" + leaked + ".read", 0, leaked, 0)
                    .build());
      }
      server.removeNotificationListener(Jmx.Names.BEAN, console);
      assertThat(jmx.watcher().isWanted()).isFalse();
    }
    assertThat(heard).isEmpty();
  }

  @Test
  void aSecondRegistrationIsOneLine() {
    new Jmx(new FlowSource(() -> next, () -> 0, 0), log::add).register(server);
    assertThat(log).hasSize(1);
    assertThat(log.get(0)).startsWith("no management bean org.buftrail:type=FlowTracker: ");
  }

  @Test
  void aListenerThatGoesCostsNothingMore() throws Exception {
    NotificationListener listener = (n, handback) -> {};
    NotificationListener other = (n, handback) -> {};
    assertThat(jmx.watcher().isWanted()).isFalse();
    server.addNotificationListener(Jmx.Names.BEAN, listener, null, null);
    server.addNotificationListener(Jmx.Names.BEAN, other, null, "here");
    assertThat(jmx.watcher().isWanted()).isTrue();
    server.removeNotificationListener(Jmx.Names.BEAN, listener);
    assertThat(jmx.watcher().isWanted()).isTrue();
    server.removeNotificationListener(Jmx.Names.BEAN, other, null, "here");
    assertThat(jmx.watcher().isWanted()).isFalse();
  }
}
