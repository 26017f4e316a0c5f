package com.example.woven;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/** An executor as an application writes one. */
public final class Crew implements Executor {
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  /** Runs what is handed over. */
  public static final class Member implements Runnable {
    private final Crew crew;

    public Member(Crew crew) {
      this.crew = crew;
    }

    @Override
    public void run() {
      try {
        while (true) {
          crew.tasks.take().run();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }
}
